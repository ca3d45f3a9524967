#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "rfs/report/style.h"

namespace rfs {

/// A figure with several panels and one legend.
struct PanelFigure {
  struct Point {
    double x = 0, y = 0, low = 0, high = 0;
    int64_t samples = 0;
  };
  /// A run whose record a line shows.
  struct Source {
    std::string name;
    std::filesystem::path folder;
    std::string command;  ///< that trained it; "" if unknown
  };
  struct Line {
    MethodStyle style;
    std::vector<Point> points;
    std::vector<Source> sources = {};
  };
  struct Panel {
    std::string title;
    std::vector<Line> lines;
    std::optional<std::pair<double, double>> shaded = {};  ///< trained lengths, first and last
    bool new_row = false;                                  ///< starts a new row of panels
  };
  std::string title, x_label, y_label;
  std::vector<std::string> notes;  ///< small lines below: what the figure shows, what is missing
  std::vector<Panel> panels;
  size_t columns = 1;
  bool log_scale = false;  ///< logarithmic y axis; the default is 0 to 1
  bool open_top = false;   ///< linear y axis from 0 to the highest value
  bool own_x = false;      ///< on a log scale, each panel has its own x range
};

/// The figure's data as text: one block per line. Equal text means an equal figure.
std::string panel_data(const PanelFigure& figure);

/// Draws the figure as NAME.svg, NAME.png and NAME.pdf in `folder`, with NAME.gp (the gnuplot script) and NAME.dat next
/// to them. Throws Error if gnuplot is missing or fails.
void draw_panels(const PanelFigure& figure, const std::filesystem::path& folder, const std::string& name);

}  // namespace rfs
