#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace rfs {

/// Writes NAME.gp (the script) and NAME.dat (its data) into `folder` and draws the script's images there, all of them
/// or none: earlier ones stay until the new ones are complete. Settings of the user (~/.gnuplot) have no say. The
/// script names images and data without a folder and says in a comment (`drawn_again`) how a user can run it. It is
/// written first: `has_figure` knows a folder of ours by it. Throws Error where gnuplot is missing or fails, or where
/// an image is incomplete.
void draw_figure(const std::filesystem::path& folder, const std::string& name, const std::string& script,
                 const std::string& data);

/// "`gnuplot NAME.gp` in this folder draws it again."
std::string drawn_again(const std::string& name);

/// Whether a folder has a script that `draw_figure` wrote.
bool has_figure(const std::filesystem::path& folder);

/// Whether an image of this kind (".svg", ".png", ".pdf") is complete: gnuplot ends with success even where the disk
/// was too full to write it.
bool whole_image(std::string_view content, const std::string& kind);

/// A text of one line as gnuplot reads it, whatever is in it. `noenhanced` must follow it in the script.
std::string gnuplot_text(const std::string& text);

/// The same for a tic label, which gnuplot takes as a format.
std::string gnuplot_tic(const std::string& text);

}  // namespace rfs
