#pragma once

#include <span>
#include <string>
#include <vector>

#include "rfs/text/tokenizer.h"

namespace rfs {

/// The first `count` words of ASCII letters that are one token after a space, from a vocabulary's pieces in the order
/// of their ids. `name` is the tokenizer's, for the error if there are fewer.
std::vector<std::string> whole_words(const Tokenizer& tokenizer, const std::string& name,
                                     std::span<const std::string> pieces, int64_t count);

}  // namespace rfs
