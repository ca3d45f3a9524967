#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "rfs/report/panels.h"
#include "rfs/report/series.h"

namespace rfs {

/// Exact match by length, with trained lengths shaded.
PanelFigure accuracy_figure(const std::vector<Series>& series);
/// Exact match, token accuracy and 1 - normalised edit distance by length, side by side; no panels if no answers were
/// decoded.
PanelFigure errors_figure(const std::vector<Series>& series);
/// The training loss of each run by step; no panels if no run has metrics.
PanelFigure loss_figure(const std::vector<Series>& series);

/// Draws accuracy_figure as accuracy.svg, .png and .pdf in `folder`. The gnuplot script accuracy.gp and its data
/// accuracy.dat stay in the folder so that users can restyle the figure. Throws Error if gnuplot is missing or fails.
void draw_accuracy(const std::vector<Series>& series, const std::filesystem::path& folder);

/// Draws loss_figure in the same way, as `loss`; an empty figure is not drawn.
void draw_loss(const std::vector<Series>& series, const std::filesystem::path& folder);

/// Draws errors_figure in the same way, as `errors`; an empty figure is not drawn.
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
