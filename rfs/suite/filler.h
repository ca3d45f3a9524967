#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rfs/core/random.h"

namespace rfs {

/// `count` random sentences about everyday things. They contain no numbers and no capitalized names.
std::vector<std::string> filler_sentences(Stream& stream, int64_t count);

/// The English words in keys, always the same ones. No word contains another.
const std::vector<std::string>& key_words();
/// Number of different keys.
int64_t key_count();
/// A key of two different words: "quiet-harbor". `number` is below key_count().
std::string key(uint64_t number);

/// Number of different invented words.
int64_t invented_count();
/// An invented word of five letters: "tamor". `number` is below invented_count().
std::string invented(uint64_t number);

/// A text of sentences or words with spaces between them.
std::string spaced(const std::vector<std::string>& parts);

}  // namespace rfs
