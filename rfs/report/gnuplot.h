#pragma once

#include <filesystem>
#include <string>

namespace rfs {

/// Draws the images of a gnuplot script into its folder, each whole or not at all; it names them and its data without a
/// folder, so that a user can run it again by hand. Throws Error where gnuplot is missing or fails.
void run_gnuplot(const std::filesystem::path& folder, const std::string& script);

/// A text as gnuplot takes it: in single quotes, which know one escape, a doubled quote.
std::string single_quoted(const std::string& text);

}  // namespace rfs
