#include "rfs/report/score_figure.h"

#include <algorithm>
#include <cmath>

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/report/gnuplot.h"

namespace rfs {
namespace {

/// One block per row of the table: x, accuracy in %, standard error; missing values are skipped.
std::string data_of(const ScoreTable& table, size_t methods) {
  std::string data = "# One block per row: x, accuracy in %, standard error\n";
  for (size_t r = 0; r < table.rows.size(); ++r) {
    const auto& row = table.rows[r];
    data += rfs::format("# {}: {}\n", row.id ? "ID" : "OOD", one_line(row.label));
    const double width = 0.8 / static_cast<double>(methods),
                 shift = (static_cast<double>(r % methods) - static_cast<double>(methods - 1) / 2) * width;
    for (size_t i = 0; i < row.cells.size(); ++i) {
      if (!row.cells[i]) continue;
      data += rfs::format("{:.4f} {:.4f} {:.4f}\n", static_cast<double>(i + 1) + shift, 100 * row.cells[i]->value,
                          100 * row.cells[i]->error);
    }
    data += "\n\n";
  }
  return data;
}

}  // namespace

void draw_scores(const ScoreTable& table, const std::filesystem::path& folder) {
  const size_t methods = table.rows.size() / 2, columns = table.columns.size();
  const double width = 160 + 130 * static_cast<double>(columns), height = 620;
  double highest = 0.01;
  for (const auto& row : table.rows) {
    for (const auto& cell : row.cells) highest = cell ? std::max(highest, cell->value + cell->error) : highest;
  }
  std::string script = rfs::format("# {}\n", drawn_again("scores"));
  script += rfs::format(
      "set encoding utf8\n"
      "do for [kind = 1:2] {{\n  reset\n"
      "  if (kind == 1) {{ set terminal svg size {0:.0f},{1:.0f} font 'DejaVu Sans,12' background rgb 'white'; set "
      "output "
      "'scores.svg' }}\n"
      "  if (kind == 2) {{ set terminal pngcairo size {2:.0f},{3:.0f} font 'DejaVu Sans,12' fontscale 2 linewidth 2; "
      "set "
      "output 'scores.png' }}\n"
      "  set border 3 lc rgb '#666666'\n  set tics nomirror textcolor rgb '#333333'\n  set grid ytics lt 1 lc rgb "
      "'#d8d8d8'\n  set boxwidth {4:.4f}\n  set style fill solid 0.85 noborder\n  set yrange [0:{6:.0f}]\n  set xrange "
      "[0.4:{5}.6]\n  set ylabel 'accuracy, %'\n  set pointintervalbox 0\n",
      width, height, 2 * width, 2 * height, 0.76 / static_cast<double>(methods), columns, std::ceil(110 * highest));
  script += "  set multiplot layout 2,1\n";
  for (const bool id : {true, false}) {
    std::string ticks;
    for (size_t i = 0; i < columns; ++i) {
      const auto& column = table.columns[i];
      ticks += rfs::format("{}{} {}", i > 0 ? ", " : "",
                           gnuplot_tic(rfs::format("{} ({})", column.title, id ? column.id : column.ood)), i + 1);
    }
    script += rfs::format("  set xtics ({}) noenhanced\n  set title {} noenhanced\n", ticks,
                          gnuplot_text(id ? "At most the context size (ID), with the number of documents"
                                          : "Longer than the context size (OOD)"));
    script += id ? "  unset key\n  plot" : "  set key below horizontal noenhanced\n  plot";
    std::string parts;
    for (size_t m = 0; m < methods; ++m) {
      const size_t block = (id ? 0 : methods) + m;
      const auto& row = table.rows[block];
      parts += rfs::format(
          "{0} 'scores.dat' index {1} using 1:2 with boxes lc rgb '{2}' title {3}, 'scores.dat' index {1} using "
          "1:2:3 with yerrorbars ps 0 lc rgb '#333333' notitle",
          m > 0 ? "," : "", block, row.colour, gnuplot_text(row.label));
    }
    script += parts + "\n";
  }
  script += "  unset multiplot\n  set output\n}\n";
  draw_figure(folder, "scores", script, data_of(table, methods));
}

}  // namespace rfs
