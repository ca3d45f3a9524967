#pragma once

#include <filesystem>
#include <string>

namespace rfs {

/// Text as HTML shows it.
std::string escaped(const std::string& text);

/// The SVG of a file, ready to stand inside a page. DType ids get a prefix of `name`: gnuplot uses the same ones in
/// every file. Throws Error where the file has anything that gnuplot does not draw: scripts, events, links, images.
std::string inline_svg(const std::filesystem::path& file, const std::string& name);

}  // namespace rfs
