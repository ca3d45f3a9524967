#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rfs/core/random.h"

namespace rfs {

/// `count` random sentences about everyday things. They contain no numbers and no capitalized names.
std::vector<std::string> filler_sentences(Stream& stream, int64_t count);

/// Different English words, always the same ones: adjectives, then nouns.
const std::vector<std::string>& plain_words();

/// Number of different compounds.
int64_t compounds();
/// A compound of an adjective and a noun: "quiet-harbor". `number` is below compounds().
std::string compound(uint64_t number);

/// A text of sentences or words with spaces between them.
std::string spaced(const std::vector<std::string>& parts);

}  // namespace rfs
