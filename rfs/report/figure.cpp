#include "rfs/report/figure.h"

#include <optional>

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/report/chart.h"
#include "rfs/report/gnuplot.h"
#include "rfs/report/mistakes.h"

namespace rfs {
namespace fs = std::filesystem;
namespace {

std::string plots(const std::string& name, const std::string& plot) {
  return rfs::format(
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

std::optional<std::pair<double, double>> trained_lengths(const std::vector<Series>& series) {
  const Span trained = length_span(series, true);
  if (!trained.any) return std::nullopt;
  return std::pair(static_cast<double>(trained.first), static_cast<double>(trained.last));
}

/// A point without an error band.
PanelFigure::Point point(int64_t x, double y, int64_t samples) {
  return {static_cast<double>(x), y, y, y, samples};
}

/// Removes the files of an outdated figure.
void remove_figure(const fs::path& folder, const std::string& name) {
  for (const char* kind : {".svg", ".png", ".pdf", ".gp", ".dat"}) fs::remove(folder / (name + kind));
}

/// Draws a figure, or removes an outdated one if there is nothing to draw.
void draw(const PanelFigure& figure, const fs::path& folder, const std::string& name) {
  if (figure.panels.empty()) {
    remove_figure(folder, name);
  } else {
    draw_panels(figure, folder, name);
  }
}

}  // namespace

PanelFigure accuracy_figure(const std::vector<Series>& series) {
  PanelFigure figure;
  figure.title = "Exact match by length (trained lengths shaded)";
  figure.x_label = "length";
  figure.y_label = "share of correct answers";
  figure.panels = {{"", {}, trained_lengths(series)}};
  for (size_t i = 0; i < series.size(); ++i) {
    auto& line = figure.panels[0].lines.emplace_back(series_style(series[i].name, i));
    line.sources = sources(series[i]);
    for (const auto& l : series[i].lengths) {
      line.points.push_back({static_cast<double>(l.length), l.share, l.low, l.high, l.samples});
    }
  }
  return figure;
}

PanelFigure errors_figure(const std::vector<Series>& series) {
  PanelFigure figure;
  if (!any_decoded(series)) return figure;
  figure.title = "Accuracy of decoded answers by length";
  figure.x_label = "length";
  figure.columns = 3;
  for (const char* title : {"Exact match", "Token accuracy", "1 - edit distance"}) {
    figure.panels.push_back({title, {}, trained_lengths(series)});
  }
  for (size_t i = 0; i < series.size(); ++i) {
    for (auto& panel : figure.panels) {
      panel.lines.emplace_back(series_style(series[i].name, i)).sources = sources(series[i]);
    }
    const auto points = [&](size_t panel) -> auto& {
      return figure.panels[panel].lines.back().points;
    };
    for (const auto& l : series[i].lengths) points(0).push_back(point(l.length, l.share, l.samples));
    for (const auto& l : decoded_lengths(series[i])) {
      points(1).push_back(point(l.length, l.token_accuracy, l.samples));
      points(2).push_back(point(l.length, l.similarity, l.samples));
    }
  }
  return figure;
}

PanelFigure loss_figure(const std::vector<Series>& series) {
  PanelFigure figure;
  figure.title = "Training loss";
  figure.x_label = "step";
  figure.y_label = "loss (nats per token)";
  figure.open_top = true;
  PanelFigure::Panel panel;
  for (size_t i = 0; i < series.size(); ++i) {
    const auto runs = sources(series[i]);
    for (size_t k = 0; k < runs.size(); ++k) {
      const auto metrics = series[i].runs[k].metrics();
      if (metrics.empty()) continue;
      auto& line = panel.lines.emplace_back(series_style(series[i].name, i));
      line.sources = {runs[k]};
      for (const auto& metric : metrics) line.points.push_back(point(metric.step, metric.loss, 1));
    }
  }
  if (!panel.lines.empty()) figure.panels.push_back(std::move(panel));
  return figure;
}

void draw_accuracy(const std::vector<Series>& series, const fs::path& folder) {
  draw(accuracy_figure(series), folder, "accuracy");
}
void draw_errors(const std::vector<Series>& series, const fs::path& folder) {
  draw(errors_figure(series), folder, "errors");
}
void draw_loss(const std::vector<Series>& series, const fs::path& folder) {
  draw(loss_figure(series), folder, "loss");
}

void draw_histograms(const std::vector<Histogram>& histograms, const std::string& label, const fs::path& folder) {
  std::string data = "# One block per part: value, share of samples, samples\n";
  std::vector<std::string> lines;
  for (size_t i = 0; i < histograms.size(); ++i) {
    int64_t total = 0;
    for (const auto& [value, count] : histograms[i].counts) total += count;
    data += rfs::format("# {}\n", one_line(histograms[i].name));
    for (const auto& [value, count] : histograms[i].counts) {
      data += rfs::format("{} {:.6g} {}\n", value, static_cast<double>(count) / static_cast<double>(total), count);
    }
    data += "\n\n";
    lines.push_back(
        rfs::format("  'histogram.dat' index {} using 1:2 with boxes fc rgb '{}' fs transparent solid 0.5 title {}", i,
                    series_colour(i), gnuplot_text(histograms[i].name)));
  }
  std::string script = rfs::format("# Histogram. {}\n", drawn_again("histogram"));
  script += style;
  script += rfs::format("set xlabel {} noenhanced\nset ylabel 'share of samples'\nset yrange [0:*]\nset boxwidth 0.9\n",
                        gnuplot_text(label));
  draw_figure(folder, "histogram", script + plots("histogram", "plot \\\n" + join(lines, ", \\\n") + "\n"), data);
}

}  // namespace rfs
