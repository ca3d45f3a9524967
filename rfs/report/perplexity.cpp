#include "rfs/report/perplexity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/report/figure.h"
#include "rfs/report/panels.h"
#include "rfs/report/table.h"

namespace rfs {
namespace {

using Parts = std::map<int64_t, double>;

/// Losses by place in the longest inputs, by where the part ends.
Parts by_place(const EvalRecord& record) {
  Parts parts;
  int64_t longest = 0;
  for (const auto& loss : record.losses) longest = std::max(longest, loss.input);
  for (const auto& loss : record.losses) {
    if (loss.input == longest) parts[loss.end] = loss.loss;
  }
  return parts;
}

Parts by_input(const EvalRecord& record) {
  Parts parts;
  for (const auto& [input, loss] : loss_at_the_end(record)) parts[input] = loss;
  return parts;
}

/// Mean, lowest and highest seed of perplexities.
template <class Of>
PanelFigure::Line line_of(const Series& series, size_t index, const Of& of) {
  PanelFigure::Line line{method_style(series.name, index), {}};
  const Parts first = of(series.evals.front());
  for (const auto& [at, unused] : first) {
    double sum = 0, low = INFINITY, high = 0;
    for (const auto& eval : series.evals) {
      const double loss = of(eval).at(at);
      sum += loss;
      low = std::min(low, loss);
      high = std::max(high, loss);
    }
    const auto seeds = static_cast<double>(series.evals.size());
    line.points.push_back({static_cast<double>(at), std::exp(sum / seeds), std::exp(low), std::exp(high),
                           static_cast<int64_t>(series.evals.size())});
  }
  return line;
}

}  // namespace

std::vector<std::pair<int64_t, double>> loss_at_the_end(const EvalRecord& record) {
  std::vector<std::pair<int64_t, double>> losses;
  for (const auto& loss : record.losses) {
    if (loss.end == loss.input) losses.emplace_back(loss.input, loss.loss);
  }
  return losses;
}

bool has_losses(const std::vector<Series>& series) {
  size_t with = 0, all = 0;
  for (const auto& one : series) {
    for (const auto& eval : one.evals) {
      ++all;
      with += eval.losses.empty() ? 0 : 1;
    }
  }
  if (with != 0 && with != all) throw Error("report: runs must be all of language models or none, got both");
  return with > 0;
}

std::string perplexity_table(const std::vector<Series>& series) {
  std::vector<std::string> head = {"model", "trained on"};
  std::vector<std::vector<std::string>> rows;
  for (size_t i = 0; i < series.size(); ++i) {
    const auto line = line_of(series[i], i, by_input);
    std::vector<std::string> row = {series[i].name,
                                    fmt::format("{} tokens", series[i].trains.front().trained_length - 1)};
    for (const auto& point : line.points) {
      if (i == 0) head.push_back(fmt::format("{:.0f}", point.x));
      row.push_back(fmt::format("{:.4g}", point.y));
    }
    rows.push_back(row);
  }
  rows.insert(rows.begin(), head);
  for (auto& row : rows) row.resize(head.size(), "-");
  return aligned(rows);
}

void write_perplexity_report(const std::vector<Series>& series, const std::filesystem::path& folder) {
  require_writable(folder);
  PanelFigure figure;
  figure.title = "Perplexity on held-out documents";
  figure.x_label = "tokens";
  figure.y_label = "perplexity";
  figure.columns = 2;
  figure.log_scale = true;
  figure.panels.resize(2);
  figure.panels[0].title = "second half of inputs of so many tokens";
  figure.panels[1].title = "by place in the longest inputs";
  for (size_t i = 0; i < series.size(); ++i) {
    figure.panels[0].lines.push_back(line_of(series[i], i, by_input));
    figure.panels[1].lines.push_back(line_of(series[i], i, by_place));
  }
  const auto window = static_cast<double>(series.front().trains.front().trained_length - 1);
  for (auto& panel : figure.panels) panel.shaded = {0, window};
  int64_t documents = 0;
  for (const auto& loss : series.front().evals.front().losses) {
    if (loss.begin == 0) documents = loss.targets / loss.end;
  }
  figure.notes = {
      fmt::format("Shaded: up to the {:.0f} tokens of a training row. {} documents; band: lowest and highest seed.",
                  window, documents)};
  draw_panels(figure, folder, "perplexity");
  draw_loss(series, folder);
  write_file(folder / "table.md", "Perplexity by tokens of the input\n\n" + perplexity_table(series));
}

}  // namespace rfs
