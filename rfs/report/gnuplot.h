#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace rfs {

/// Writes NAME.gp (the script) and NAME.dat (its data) into `folder` and draws the script's images there. Existing
/// images are replaced only when all new ones are complete. The user's settings (~/.gnuplot) are ignored. The script
/// names images and data without a folder, and a comment (`drawn_again`) says how to run it. The script is written
/// first, because `has_figure` recognizes our folders by it. Throws Error if gnuplot is missing or fails, or if an
/// image is incomplete.
void draw_figure(const std::filesystem::path& folder, const std::string& name, const std::string& script,
                 const std::string& data);

/// The comment "`gnuplot NAME.gp` in this folder draws it again."
std::string drawn_again(const std::string& name);

/// True if a folder has a script that `draw_figure` wrote.
bool has_figure(const std::filesystem::path& folder);

/// True if an image of this kind (".svg", ".png", ".pdf") is complete. The check is needed because gnuplot reports
/// success even if the disk was full.
bool whole_image(std::string_view content, const std::string& kind);

/// A one-line text as a gnuplot string literal, safe for any content. The script must write `noenhanced` after it.
std::string gnuplot_text(const std::string& text);

/// The same for a tic label, which gnuplot interprets as a format.
std::string gnuplot_tic(const std::string& text);

}  // namespace rfs
