#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "rfs/report/series.h"

namespace rfs {

/// Draws exact match by length, trained lengths shaded, as accuracy.svg, .png and .pdf in `folder`; accuracy.gp (the
/// gnuplot script) and accuracy.dat stay beside them so that a user can restyle it. Throws Error where gnuplot is
/// missing or fails.
void draw_accuracy(const std::vector<Series>& series, const std::filesystem::path& folder);

/// Draws the training loss of each run by step in the same way, as `loss`; nothing where no run has metrics.
void draw_loss(const std::vector<Series>& series, const std::filesystem::path& folder);

/// Draws exact match, token accuracy and 1 - normalised edit distance by length side by side in the same way, as
/// `errors`; nothing where no answers were measured.
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

}  // namespace rfs
