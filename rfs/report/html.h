#pragma once

#include <filesystem>
#include <string>

namespace rfs {

/// Escapes a text for HTML.
std::string escaped(const std::string& text);

/// The beginning of a page, up to <body>: title, style, and a policy that forbids everything from other places.
/// `connections` names what its scripts may load: 'none', or 'self' for a page that a server keeps up to date.
std::string page_begin(const std::string& title, const std::string& connections = "'none'");
/// The end of a page, with the scripts of its interactive figures.
std::string page_end();

/// JSON as a <script> of data. Texts in it cannot end the element.
std::string script_data(std::string json);

/// The URL of a folder, relative to the folder of a page: "../runs/a%20b/"; "" if either is unknown.
std::string relative_url(const std::filesystem::path& folder, const std::filesystem::path& page_folder);

/// Converts Markdown with paragraphs, headings and tables to HTML.
std::string html_of(const std::string& markdown);

/// The SVG of a file for use inside a page. Element ids get `name` as a prefix, because gnuplot uses the same ids in
/// every file. Throws Error if the file has anything that gnuplot does not draw: scripts, events, links, images.
std::string inline_svg(const std::filesystem::path& file, const std::string& name);

}  // namespace rfs
