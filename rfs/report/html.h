#pragma once

#include <filesystem>
#include <string>

namespace rfs {

/// Escapes a text for HTML.
std::string escaped(const std::string& text);

/// The SVG of a file for use inside a page. Element ids get `name` as a prefix, because gnuplot uses the same ids in
/// every file. Throws Error if the file has anything that gnuplot does not draw: scripts, events, links, images.
std::string inline_svg(const std::filesystem::path& file, const std::string& name);

}  // namespace rfs
