#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "rfs/report/style.h"

namespace rfs {

/// A figure of several panels that share a legend.
struct PanelFigure {
  struct Point {
    double x = 0, y = 0, low = 0, high = 0;
    int64_t samples = 0;
  };
  struct Line {
    MethodStyle style;
    std::vector<Point> points;
  };
  struct Panel {
    std::string title;
    std::vector<Line> lines;
    std::optional<std::pair<double, double>> shaded = {};  ///< trained lengths, first and last
    bool new_row = false;                                  ///< stands at the left even where there is room
  };
  std::string title, x_label, y_label;
  std::vector<std::string> notes;  ///< small lines below: what is shown, what is missing
  std::vector<Panel> panels;
  size_t columns = 1;
  bool log_scale = false;  ///< of y; else it goes from 0 to 1,
  bool open_top = false;   ///< or as far as the lines do
  bool own_x = false;      ///< each panel's x goes as far as its own lines do
};

/// What the figure shows, as text: a block a line. Equal text means an equal figure.
std::string panel_data(const PanelFigure& figure);

/// Draws the figure as NAME.svg, NAME.png and NAME.pdf in `folder`, with NAME.gp (the gnuplot script) and NAME.dat
/// beside them. Throws Error where gnuplot is missing or fails.
void draw_panels(const PanelFigure& figure, const std::filesystem::path& folder, const std::string& name);

}  // namespace rfs
