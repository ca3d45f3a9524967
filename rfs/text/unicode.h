#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rfs {

// These functions behave like Python's str, on UTF-8, so that scores agree with those of Python programs.

/// The index of the first byte that is not valid UTF-8; nothing if all are valid.
std::optional<size_t> first_broken_byte(std::string_view text);

/// The code point at byte `at`, which moves behind it. If the bytes there are not valid UTF-8, `at` moves by one and
/// the result is empty.
std::optional<uint32_t> next_code_point(std::string_view text, size_t& at);

/// Appends a code point to a UTF-8 text.
void append_utf8(uint32_t code, std::string& text);

/// Number of code points of a UTF-8 text.
int64_t code_points(std::string_view text);

/// Without white space (Python's str.isspace) at both ends, or only at the end.
std::string_view stripped(std::string_view text);
std::string_view right_stripped(std::string_view text);

/// The first letter in title case and all other letters in lower case, like Python's capitalize.
std::string capitalized(std::string_view text);

}  // namespace rfs
