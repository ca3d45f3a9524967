#include "rfs/report/figure.h"

#include <fmt/format.h>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/report/gnuplot.h"

namespace rfs {
namespace fs = std::filesystem;
namespace {

std::string plots(const std::string& name, const std::string& plot) {
  return fmt::format(
      "set terminal svg size 860,460 font 'DejaVu Sans,13' background rgb 'white' enhanced\n"
      "set output '{0}.svg'\n{1}\n"
      "set terminal pngcairo size 1720,920 font 'DejaVu Sans,13' fontscale 2 linewidth 2 pointscale 2 enhanced\n"
      "set output '{0}.png'\nreplot\nset output\n",
      name, plot);
}

constexpr const char* style =
    "set encoding utf8\n"
    "set border 3 lc rgb '#666666'\nset tics nomirror textcolor rgb '#333333'\nset grid ytics lc rgb '#dddddd'\n"
    "set key outside bottom center horizontal noenhanced\nset bmargin 5.5\nset key at screen 0.5, screen 0.05\n";

}  // namespace

std::string series_colour(size_t index) {
  static const std::vector<std::string> colours = {"#d55e00", "#0072b2", "#009e73", "#cc79a7",
                                                   "#e69f00", "#56b4e9", "#000000", "#f0e442"};
  return colours[index % colours.size()];
}

void draw_accuracy(const std::vector<Series>& series, const fs::path& folder) {
  std::string data = "# One block a series: length, share right, low, high, samples, trained (1) or not (0)\n";
  for (const auto& one : series) {
    data += fmt::format("# {}\n", one.name);
    for (const auto& length : one.lengths) {
      data += fmt::format("{} {:.6f} {:.6f} {:.6f} {} {}\n", length.length, length.share, length.low, length.high,
                          length.samples, length.trained ? 1 : 0);
    }
    data += "\n\n";
  }
  std::string script = "# Exact match by length. `gnuplot accuracy.gp` in this folder draws it again.\n";
  script += style;
  script +=
      "set title 'Exact match by length (trained lengths shaded)' textcolor rgb '#222222'\n"
      "set xlabel 'length'\nset ylabel 'share of answers that are right'\nset yrange [0:1.02]\n";
  if (const Span trained = length_span(series, true); trained.any) {
    script += fmt::format(
        "set object 1 rectangle from first {}, graph 0 to first {}, graph 1 behind fc rgb '#eeeeee' fs solid "
        "noborder\n",
        static_cast<double>(trained.first) - 0.5, static_cast<double>(trained.last) + 0.5);
  }
  std::string plot = "plot \\\n";
  for (size_t i = 0; i < series.size(); ++i) {
    const auto colour = series_colour(i);
    plot += fmt::format(
        "  'accuracy.dat' index {0} using 1:3:4 with filledcurves fc rgb '{1}' fs transparent solid 0.18 notitle, \\\n"
        "  '' index {0} using 1:2 with linespoints lc rgb '{1}' lw 2 pt 7 ps 0.6 title {2}{3}\n",
        i, colour, single_quoted(series[i].name), i + 1 < series.size() ? ", \\" : "");
  }
  write_file(folder / "accuracy.dat", data);
  write_file(folder / "accuracy.gp", script + plots("accuracy", plot));
  run_gnuplot(folder, "accuracy.gp");
}

void draw_loss(const std::vector<Series>& series, const fs::path& folder) {
  fs::remove(folder / "loss.svg");
  std::string data = "# One block a run: step, loss\n", plot = "plot \\\n";
  std::vector<std::string> lines;
  for (size_t i = 0; i < series.size(); ++i) {
    for (size_t seed = 0; seed < series[i].runs.size(); ++seed) {
      const auto metrics = series[i].runs[seed].metrics();
      if (metrics.empty()) continue;
      data += fmt::format("# {}\n", series[i].runs[seed].name());
      for (const auto& metric : metrics) data += fmt::format("{} {:.6g}\n", metric.step, metric.loss);
      data += "\n\n";
      lines.push_back(fmt::format("  'loss.dat' index {} using 1:2 with lines lc rgb '{}' lw 2 {}", lines.size(),
                                  series_colour(i), seed == 0 ? "title " + single_quoted(series[i].name) : "notitle"));
    }
  }
  if (lines.empty()) return;
  plot += join(lines, ", \\\n") + "\n";
  std::string script = "# Training loss by step. `gnuplot loss.gp` in this folder draws it again.\n";
  script += style;
  script +=
      "set title 'Training loss' textcolor rgb '#222222'\nset xlabel 'step'\nset ylabel 'loss (nats a token)'\n"
      "set yrange [0:*]\n";
  write_file(folder / "loss.dat", data);
  write_file(folder / "loss.gp", script + plots("loss", plot));
  run_gnuplot(folder, "loss.gp");
}

void draw_histograms(const std::vector<Histogram>& histograms, const std::string& label, const fs::path& folder) {
  std::string data = "# One block a part: value, share of samples, samples\n";
  std::vector<std::string> lines;
  for (size_t i = 0; i < histograms.size(); ++i) {
    int64_t total = 0;
    for (const auto& [value, count] : histograms[i].counts) total += count;
    data += fmt::format("# {}\n", histograms[i].name);
    for (const auto& [value, count] : histograms[i].counts) {
      data += fmt::format("{} {:.6g} {}\n", value, static_cast<double>(count) / static_cast<double>(total), count);
    }
    data += "\n\n";
    lines.push_back(
        fmt::format("  'histogram.dat' index {} using 1:2 with boxes fc rgb '{}' fs transparent solid 0.5 title {}", i,
                    series_colour(i), single_quoted(histograms[i].name)));
  }
  std::string script = "# Histogram. `gnuplot histogram.gp` in this folder draws it again.\n";
  script += style;
  script += fmt::format("set xlabel {}\nset ylabel 'share of samples'\nset yrange [0:*]\nset boxwidth 0.9\n",
                        single_quoted(label));
  write_file(folder / "histogram.dat", data);
  write_file(folder / "histogram.gp", script + plots("histogram", "plot \\\n" + join(lines, ", \\\n") + "\n"));
  run_gnuplot(folder, "histogram.gp");
}

}  // namespace rfs
