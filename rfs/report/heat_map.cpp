#include "rfs/report/heat_map.h"

#include <algorithm>

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/report/gnuplot.h"
#include "rfs/report/table.h"

namespace rfs {

std::string heat_map_data(const HeatMap& map) {
  std::string data = rfs::format("# {}\n", one_line(map.title));
  for (const auto& note : map.notes) data += rfs::format("# {}\n", one_line(note));
  for (size_t i = 0; i < map.columns.size(); ++i) data += rfs::format("# column {}: {}\n", i, one_line(map.columns[i]));
  data += "# column, row, value, text\n";
  for (size_t r = 0; r < map.rows.size(); ++r) {
    data += rfs::format("# row {}: {}\n", r, one_line(map.rows[r].name));
    for (size_t c = 0; c < map.columns.size(); ++c) {
      const auto& value = map.rows[r].values[c];
      if (value) data += rfs::format("{} {} {:.6g} {}\n", c, r, *value, share_text(*value));
    }
  }
  return data;
}

void draw_heat_map(const HeatMap& map, const std::filesystem::path& folder, const std::string& name) {
  size_t longest = 1, widest = 1;
  for (const auto& row : map.rows) longest = std::max(longest, row.name.size());
  for (const auto& column : map.columns) widest = std::max(widest, column.size());
  const double left = 30 + 8.8 * static_cast<double>(longest), cell_width = 64, cell_height = 21;
  const double top = 50 + 5.6 * static_cast<double>(widest);
  const double slanted = 6.4 * static_cast<double>(widest);  // the last column's name reaches over the right edge
  const double width = std::max(620.0, left + slanted + cell_width * static_cast<double>(map.columns.size()));
  const double right = left + cell_width * static_cast<double>(map.columns.size());
  const double body = cell_height * static_cast<double>(map.rows.size());
  const double height = top + body + 24 + 16 * static_cast<double>(map.notes.size());
  std::string script = rfs::format("# {}. {}\nset encoding utf8\n", one_line(map.title), drawn_again(name));
  script += rfs::format(
      "do for [kind = 1:3] {{\n  reset\n"
      "  if (kind == 1) {{ set terminal svg size {0:.0f},{1:.0f} font 'DejaVu Sans,12' background rgb 'white' "
      "enhanced; "
      "set output '{2}.svg' }}\n"
      "  if (kind == 2) {{ set terminal pngcairo size {3:.0f},{4:.0f} font 'DejaVu Sans,12' fontscale 1.5 linewidth "
      "1.5 "
      "enhanced; set output '{2}.png' }}\n"
      "  if (kind == 3) {{ set terminal pdfcairo size {5:.2f}in,{6:.2f}in font 'DejaVu Sans,9' enhanced; "
      "set output '{2}.pdf' }}\n",
      width, height, name, 1.5 * width, 1.5 * height, width / 96, height / 96);
  script += rfs::format(
      "  set lmargin at screen {:.5f}\n  set rmargin at screen {:.5f}\n  set tmargin at screen {:.5f}\n"
      "  set bmargin at screen {:.5f}\n",
      left / width, right / width, 1 - top / height, 1 - (top + body) / height);
  script += "  unset key\n  unset colorbox\n  set border 0\n  set tics scale 0 nomirror textcolor rgb '#333333'\n";
  // White to blue, readable in greyscale.
  script += "  set palette defined (0 '#ffffff', 0.5 '#9ecae1', 1 '#08519c')\n  set cbrange [0:1]\n";
  script += rfs::format("  set xrange [-0.5:{}]\n  set yrange [{}:-0.5]\n",
                        static_cast<double>(map.columns.size()) - 0.5, static_cast<double>(map.rows.size()) - 0.5);
  script += rfs::format("  set label 1 {} at screen 0.5, screen {:.5f} center noenhanced font ',15'\n",
                        gnuplot_text(map.title), 1 - 20 / height);
  for (size_t i = 0; i < map.notes.size(); ++i) {
    script += rfs::format(
        "  set label {} {} at screen 0.5, screen {:.5f} center noenhanced textcolor rgb '#555555' font ',10'\n", i + 10,
        gnuplot_text(map.notes[i]), 1 - (top + body + 20 + 16 * static_cast<double>(i)) / height);
  }
  std::string columns, rows;
  for (size_t i = 0; i < map.columns.size(); ++i) {
    columns += rfs::format("{}{} {}", i == 0 ? "" : ", ", gnuplot_tic(map.columns[i]), i);
  }
  for (size_t i = 0; i < map.rows.size(); ++i) {
    rows += rfs::format("{}{} {}", i == 0 ? "" : ", ", gnuplot_tic(map.rows[i].name), i);
  }
  script += rfs::format("  unset xtics\n  set x2tics ({}) rotate by 40 left noenhanced\n  set ytics ({}) noenhanced\n",
                        columns, rows);
  script += rfs::format("  set x2range [-0.5:{}]\n", static_cast<double>(map.columns.size()) - 0.5);
  script += rfs::format(
      "  plot '{0}.dat' using 1:2:($1-0.48):($1+0.48):($2-0.46):($2+0.46):3 with boxxyerror fs solid noborder palette, "
      "\\\n    '{0}.dat' using 1:2:4:($3 > 0.65 ? 0xffffff : 0x222222) with labels textcolor rgb variable font ',10'\n",
      name);
  script += "  set output\n}\n";
  draw_figure(folder, name, script, heat_map_data(map));
}

}  // namespace rfs
