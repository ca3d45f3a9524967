#pragma once

#include <string_view>
#include <vector>

namespace rfs {

// These functions split a text without copying it. They do not use std::istream: a stream swallows std::bad_alloc,
// which would look like the end of the text.

/// The lines, without '\n'. A final '\n' does not start another line.
std::vector<std::string_view> split_lines(std::string_view text);

/// The words between white space.
std::vector<std::string_view> split_words(std::string_view text);

}  // namespace rfs
