#pragma once

#include <string>

namespace rfs {

/// "4 s", "3 min 20 s", "2 h 5 min"
std::string duration_text(double seconds);
/// "950", "12.3 k", "4.56 M"
std::string count_text(double value);
/// "950 MB", "12.3 GB"
std::string bytes_text(double bytes);
/// A word as a shell reads it, in quotes if it needs them.
std::string shell_word(const std::string& word);

}  // namespace rfs
