#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rfs {

// These functions behave like Python's str, on UTF-8, so that scores agree with those of Python programs.

/// The index of the first byte that is not valid UTF-8; nothing if all are valid.
std::optional<size_t> first_broken_byte(std::string_view text);

/// Number of code points of a UTF-8 text.
int64_t code_points(std::string_view text);

/// Without white space (Python's str.isspace) at both ends, or only at the end.
std::string_view stripped(std::string_view text);
std::string_view right_stripped(std::string_view text);

/// The first letter in title case and all other letters in lower case, like Python's capitalize.
std::string capitalized(std::string_view text);

}  // namespace rfs
