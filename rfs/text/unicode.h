#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rfs {

// What Python's str does, on UTF-8: scores must not depend on which of the two made a text.

/// Where the first byte is that is not UTF-8; nothing where all of it is.
std::optional<size_t> first_broken_byte(std::string_view text);

/// Number of code points of a UTF-8 text.
int64_t code_points(std::string_view text);

/// Without white space (Python's str.isspace) at both ends, or at the end.
std::string_view stripped(std::string_view text);
std::string_view right_stripped(std::string_view text);

/// The first letter in title case and all others in lower case, as Python's capitalize.
std::string capitalized(std::string_view text);

}  // namespace rfs
