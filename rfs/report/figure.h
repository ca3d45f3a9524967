#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "rfs/report/series.h"

namespace rfs {

/// Draws exact match by length as accuracy.svg, .png and .pdf in `folder`, with trained lengths shaded. The gnuplot
/// script accuracy.gp and its data accuracy.dat stay in the folder so that users can restyle the figure. Throws Error
/// if gnuplot is missing or fails.
void draw_accuracy(const std::vector<Series>& series, const std::filesystem::path& folder);

/// Draws the training loss of each run by step in the same way, as `loss`; draws nothing if no run has metrics.
void draw_loss(const std::vector<Series>& series, const std::filesystem::path& folder);

/// Draws exact match, token accuracy and 1 - normalised edit distance by length, side by side, in the same way, as
/// `errors`; draws nothing if no answers were decoded.
void draw_errors(const std::vector<Series>& series, const std::filesystem::path& folder);

/// How often each value occurs in one part of the data.
struct Histogram {
  std::string name;
  std::map<int64_t, int64_t> counts;
};

/// Draws overlaid histograms as histogram.svg and histogram.png, with histogram.gp and histogram.dat next to them.
/// Throws the same errors.
void draw_histograms(const std::vector<Histogram>& histograms, const std::string& label,
                     const std::filesystem::path& folder);

}  // namespace rfs
