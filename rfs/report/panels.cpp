#include "rfs/report/panels.h"

#include <algorithm>
#include <limits>
#include <sstream>

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/report/gnuplot.h"

namespace rfs {
namespace {

constexpr size_t most_named = 24;  // maximum number of legend entries

/// Sizes in pixels of the SVG. The PNG has up to twice as many; the PDF has the same shape.
struct Layout {
  double width = 0, height = 0;
  double cell_width = 0, cell_height = 0, entry_width = 0, top = 44, bottom = 0;
  size_t columns = 1, legend_columns = 1, legend_rows = 1;
  std::vector<std::pair<size_t, size_t>> cells;  ///< row and column of each panel
  std::vector<std::string> notes;
};

/// Wraps `text` at word boundaries to lines of at most `columns` characters.
std::vector<std::string> wrapped(const std::string& text, size_t columns) {
  std::vector<std::string> lines;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (lines.empty() || lines.back().size() + 1 + word.size() > columns) {
      lines.push_back(word);
    } else {
      lines.back() += " " + word;
    }
  }
  return lines;
}

/// The styles of the figure without duplicates, in order of first appearance.
std::vector<MethodStyle> legend(const PanelFigure& figure) {
  std::vector<MethodStyle> styles;
  for (const auto& panel : figure.panels) {
    for (const auto& line : panel.lines) {
      const auto same = [&](const MethodStyle& s) { return s.label == line.style.label; };
      if (std::none_of(styles.begin(), styles.end(), same)) styles.push_back(line.style);
    }
  }
  return styles;
}

Layout layout_of(const PanelFigure& figure, const std::vector<MethodStyle>& styles) {
  Layout l;
  l.columns = std::max<size_t>(1, std::min(figure.columns, figure.panels.size()));
  for (const auto& panel : figure.panels) {
    auto [row, column] = l.cells.empty() ? std::pair<size_t, size_t>{0, 0} : l.cells.back();
    if (!l.cells.empty() && (++column == l.columns || panel.new_row)) ++row, column = 0;
    l.cells.emplace_back(row, column);
  }
  l.cell_width = l.columns == 1 ? 860 : l.columns == 2 ? 480 : 340;
  l.cell_height = l.columns == 1 ? 400 : 270;
  l.width = l.cell_width * static_cast<double>(l.columns);
  size_t longest = 1;
  for (const auto& style : styles) longest = std::max(longest, style.label.size());
  l.entry_width = 78 + 8.2 * static_cast<double>(longest);
  l.legend_columns =
      std::clamp<size_t>(static_cast<size_t>((l.width - 20) / l.entry_width), 1, std::max<size_t>(1, styles.size()));
  l.legend_rows = (styles.size() + l.legend_columns - 1) / l.legend_columns;
  if (l.legend_rows > 0) l.legend_columns = (styles.size() + l.legend_rows - 1) / l.legend_rows;
  for (const auto& note : figure.notes) {
    const auto lines = wrapped(note, static_cast<size_t>(l.width / 7.4));
    l.notes.insert(l.notes.end(), lines.begin(), lines.end());
  }
  l.bottom = 18 + 19 * static_cast<double>(l.legend_rows) + 16 * static_cast<double>(l.notes.size());
  l.height = l.top + l.cell_height * static_cast<double>(l.cells.empty() ? 0 : l.cells.back().first + 1) + l.bottom;
  return l;
}

std::string line_style(const MethodStyle& style) {
  return rfs::format("lc rgb '{}' dt {} lw 2 pt {} ps 0.8", style.colour, style.dash, style.point);
}

std::string panel_script(const PanelFigure& figure, size_t index, size_t first_block, const Layout& l,
                         const std::string& name) {
  const auto& panel = figure.panels[index];
  const auto [row, column] = l.cells[index];
  const double left = l.cell_width * static_cast<double>(column),
               top = l.top + l.cell_height * static_cast<double>(row);
  const auto x = [&](double pixels) { return pixels / l.width; };
  const auto y = [&](double pixels) { return 1 - pixels / l.height; };
  std::string script = rfs::format(
      "  set lmargin at screen {:.5f}\n  set rmargin at screen {:.5f}\n  set tmargin at screen {:.5f}\n"
      "  set bmargin at screen {:.5f}\n",
      x(left + (column > 0         ? 50
                : figure.log_scale ? 72
                : l.columns == 1   ? 78
                                   : 62)),
      x(left + l.cell_width - 20), y(top + (panel.title.empty() ? 4 : 26)), y(top + l.cell_height - 46));
  script += rfs::format("  set title {} offset 0,-0.6 textcolor rgb '#222222' noenhanced\n", gnuplot_text(panel.title));
  script += rfs::format("  set xlabel {} offset 0,0.6 noenhanced\n  set ylabel {} offset {},0 noenhanced\n",
                        gnuplot_text(figure.x_label), gnuplot_text(column == 0 ? figure.y_label : ""),
                        figure.log_scale ? "0.6"
                        : l.columns == 1 ? "0.2"
                                         : "1.2");
  if (figure.log_scale) {
    double furthest = 0;
    for (const auto& one : figure.panels) {
      if (figure.own_x && &one != &panel) continue;
      for (const auto& line : one.lines) {
        for (const auto& point : line.points) furthest = std::max(furthest, point.x);
      }
    }
    script += rfs::format("  set xrange [0:{}]\n", furthest);
  }
  script += "  unset object 1\n";
  if (panel.shaded) {
    script += rfs::format(
        "  set object 1 rectangle from first {}, graph 0 to first {}, graph 1 behind fc rgb '#ececec' fs solid "
        "noborder\n",
        panel.shaded->first - 0.5, panel.shaded->second + 0.5);
  }
  if (panel.lines.empty()) return script + "  plot NaN notitle\n";
  // Bands first, so that no band covers another method's line.
  std::vector<std::string> parts;
  for (size_t i = 0; i < panel.lines.size(); ++i) {
    parts.push_back(
        rfs::format("'{}.dat' index {} using 1:3:4 with filledcurves fc rgb '{}' fs transparent solid 0.15 "
                    "noborder notitle",
                    name, first_block + i, panel.lines[i].style.colour));
  }
  for (size_t i = 0; i < panel.lines.size(); ++i) {
    // With many points, only some have markers.
    const size_t count = panel.lines[i].points.size(), every = count > 45 ? count / 12 : 1;
    parts.push_back(rfs::format("'{}.dat' index {} using 1:2 with linespoints {} pi {} notitle", name, first_block + i,
                                line_style(panel.lines[i].style), every));
  }
  script += "  plot \\\n";
  for (size_t i = 0; i < parts.size(); ++i) script += "    " + parts[i] + (i + 1 < parts.size() ? ", \\\n" : "\n");
  return script;
}

/// Title, legend and notes at computed positions, because gnuplot's key guesses the width of texts and cannot span
/// panels. They are drawn with the first panel.
std::string frame_script(const PanelFigure& figure, const std::vector<MethodStyle>& styles, const Layout& l) {
  const auto x = [&](double pixels) { return pixels / l.width; };
  const auto y = [&](double pixels) { return 1 - pixels / l.height; };
  std::string script = rfs::format("  set label 1 {} at screen 0.5, screen {:.5f} center noenhanced font ',15'\n",
                                   gnuplot_text(figure.title), y(20));
  double top = l.height - l.bottom + 12;
  const double left = (l.width - l.entry_width * static_cast<double>(l.legend_columns)) / 2 + 10;
  for (size_t i = 0; i < styles.size(); ++i) {
    const double at = left + l.entry_width * static_cast<double>(i % l.legend_columns);
    const double down = y(top + 19 * static_cast<double>(i / l.legend_columns));
    script += rfs::format(
        "  set arrow {0} from screen {1:.5f}, screen {2:.5f} to screen {3:.5f}, screen {2:.5f} nohead lc rgb '{4}' dt "
        "{5} "
        "lw 2\n"
        "  set label {6} '' at screen {7:.5f}, screen {2:.5f} point lc rgb '{4}' pt {8} ps 0.8\n"
        "  set label {9} {10} at screen {11:.5f}, screen {2:.5f} left noenhanced textcolor rgb '#222222'\n",
        i + 1, x(at), down, x(at + 44), styles[i].colour, styles[i].dash, 100 + i, x(at + 22), styles[i].point, 200 + i,
        gnuplot_text(styles[i].label), x(at + 52));
  }
  top += 19 * static_cast<double>(l.legend_rows) + 3;
  for (size_t i = 0; i < l.notes.size(); ++i) {
    script += rfs::format(
        "  set label {} {} at screen 0.5, screen {:.5f} center noenhanced textcolor rgb '#555555' font ',10'\n", i + 10,
        gnuplot_text(l.notes[i]), y(top + 16 * static_cast<double>(i)));
  }
  return script;
}

}  // namespace

std::string panel_data(const PanelFigure& figure) {
  std::string data = rfs::format("# {}\n", one_line(figure.title));
  for (const auto& note : figure.notes) data += rfs::format("# {}\n", one_line(note));
  data += rfs::format("# One block per line: {}, {}, low, high, samples\n", one_line(figure.x_label),
                      one_line(figure.y_label));
  for (const auto& panel : figure.panels) {
    for (const auto& line : panel.lines) {
      data += rfs::format("# {}: {}\n", one_line(panel.title), one_line(line.style.label));
      for (const auto& p : line.points)
        data += rfs::format("{:.6g} {:.6g} {:.6g} {:.6g} {}\n", p.x, p.y, p.low, p.high, p.samples);
      data += "\n\n";
    }
  }
  return data;
}

void draw_panels(const PanelFigure& given, const std::filesystem::path& folder, const std::string& name) {
  PanelFigure figure = given;
  auto styles = legend(figure);
  if (styles.size() > most_named) {
    figure.notes.push_back(rfs::format("{} lines, too many for a legend: see the table", styles.size()));
    styles.clear();
  }
  const Layout l = layout_of(figure, styles);
  const double density =
      std::min({2.0, 2040 / l.width, 1600 / l.height});  // of the PNG, limited for figures with many panels
  std::string script = rfs::format("# {}. {}\nset encoding utf8\n", one_line(figure.title), drawn_again(name));
  script += rfs::format(
      "do for [kind = 1:3] {{\n  reset\n"
      "  if (kind == 1) {{ set terminal svg size {0:.0f},{1:.0f} font 'DejaVu Sans,12' background rgb 'white' "
      "enhanced; "
      "set output '{2}.svg' }}\n"
      "  if (kind == 2) {{ set terminal pngcairo size {3:.0f},{4:.0f} font 'DejaVu Sans,12' fontscale {7:.4g} "
      "linewidth {7:.4g} pointscale {7:.4g} enhanced; set output '{2}.png' }}\n"
      "  if (kind == 3) {{ set terminal pdfcairo size {5:.2f}in,{6:.2f}in font 'DejaVu Sans,9' enhanced; "
      "set output '{2}.pdf' }}\n",
      l.width, l.height, name, density * l.width, density * l.height, l.width / 96, l.height / 96, density);
  script +=
      "  set border 3 lc rgb '#666666'\n  set tics nomirror textcolor rgb '#333333'\n"
      "  set grid ytics lt 1 lc rgb '#d8d8d8'\n  unset key\n  set multiplot\n";
  double lowest = std::numeric_limits<double>::infinity(), highest = 0;
  for (const auto& panel : figure.panels) {
    for (const auto& line : panel.lines) {
      for (const auto& point : line.points) {
        lowest = std::min(lowest, point.y);
        highest = std::max(highest, point.y);
      }
    }
  }
  if (!figure.log_scale && figure.open_top) {
    script += "  set yrange [0:*]\n";
  } else if (!figure.log_scale) {
    script += "  set yrange [0:1.02]\n  set ytics 0.2\n  set format y '%.1f'\n";
  } else {
    const bool narrow = highest < 500 * lowest;  // too few powers of ten to read off values
    script += rfs::format("  set logscale y {}\n  set format y '{}'\n", narrow ? 2 : 10, narrow ? "%g" : "10^{%T}");
  }
  script += frame_script(figure, styles, l);
  size_t block = 0;
  for (size_t i = 0; i < figure.panels.size(); ++i) {
    script += panel_script(figure, i, block, l, name);
    if (i == 0) script += "  unset label\n  unset arrow\n";
    block += figure.panels[i].lines.size();
  }
  script += "  unset multiplot\n  set output\n}\n";
  draw_figure(folder, name, script, panel_data(figure));
}

}  // namespace rfs
