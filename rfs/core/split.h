#pragma once

#include <string_view>
#include <vector>

namespace rfs {

/// Parts of a text, without copies. A stream is no way to take a text apart: it swallows std::bad_alloc and looks as if
/// the text had ended.

/// Its lines without their ends ('\n'). A line end at the very end begins no further line.
std::vector<std::string_view> split_lines(std::string_view text);

/// What stands between white space.
std::vector<std::string_view> split_words(std::string_view text);

}  // namespace rfs
