#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "rfs/report/series.h"

namespace rfs {

/// Draws exact match by length, trained lengths shaded, as accuracy.svg and accuracy.png in `folder`; accuracy.gp (the
/// gnuplot script) and accuracy.dat stay beside them so that a user can restyle it. Throws Error where gnuplot is
/// missing or fails.
void draw_accuracy(const std::vector<Series>& series, const std::filesystem::path& folder);

/// Draws the training loss by step as loss.svg and loss.png, with loss.gp and loss.dat beside them; nothing where no
/// run has metrics. The same errors.
void draw_loss(const std::vector<Series>& series, const std::filesystem::path& folder);

/// Draws exact match, token accuracy and 1 - normalised edit distance by length side by side as errors.svg and
/// errors.png, with errors.gp and errors.dat beside them; nothing where no answers were measured. The same errors.
void draw_errors(const std::vector<Series>& series, const std::filesystem::path& folder);

/// How often each value occurs in one part of some data.
struct Histogram {
  std::string name;
  std::map<int64_t, int64_t> counts;
};

/// Draws histograms side by side as histogram.svg and histogram.png, with histogram.gp and histogram.dat beside them.
/// The same errors.
void draw_histograms(const std::vector<Histogram>& histograms, const std::string& label,
                     const std::filesystem::path& folder);

/// The colour of the i-th series, as "#rrggbb": Okabe and Ito's set, which colour-blind readers can tell apart.
std::string series_colour(size_t index);

}  // namespace rfs
