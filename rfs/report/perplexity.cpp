#include "rfs/report/perplexity.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/report/chart.h"
#include "rfs/report/figure.h"
#include "rfs/report/page.h"
#include "rfs/report/table.h"

namespace rfs {
namespace {

using Parts = std::map<int64_t, double>;

/// Losses by position in the longest inputs; the key is the end of each range.
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

Parts of_last_tokens(const EvalRecord& record) {
  Parts parts;
  for (const auto& loss : record.last_losses) parts[loss.input] = loss.loss;
  return parts;
}

/// Perplexity by `of`: the mean over seeds, and the lowest and highest seed.
template <class Of>
PanelFigure::Line line_of(const Series& series, const MethodStyle& style, const Of& of) {
  PanelFigure::Line line{style, {}, sources(series)};
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

int64_t trained_window(const Series& series) {
  const std::string window = series.setting("task.window");
  return window.empty() ? series.trains.front().trained_length : std::atoll(window.c_str());
}

std::string method_of(const Series& series) {
  return method_key(series.setting("encoding.use"), series.setting("positions.use"));
}

/// The series of models that are tested with the same window.
struct Window {
  int64_t tokens;
  std::vector<Series> series;

  /// The lengths of training rows: "256", or "256 or 2048".
  std::string trained() const {
    std::set<int64_t> lengths;
    for (const Series& one : series) lengths.insert(trained_window(one));
    return joined(std::vector<int64_t>(lengths.begin(), lengths.end()), " or ");
  }
};

std::vector<Window> by_window(const std::vector<Series>& series) {
  std::map<int64_t, std::vector<Series>> groups;
  for (const Series& one : series) {
    const int64_t window = std::atoll(one.setting("task.test_window").c_str());
    groups[window > 0 ? window : trained_window(one)].push_back(one);
  }
  std::vector<Window> windows;
  for (auto& [tokens, group] : groups) {
    if (groups.size() > 1) name_apart(group);
    std::set<std::string> methods;
    for (const Series& one : group) methods.insert(method_of(one));
    if (methods.size() == group.size()) {
      for (Series& one : group) one.name = method_of(one);
    }
    windows.push_back({tokens, std::move(group)});
  }
  return windows;
}

/// One row per series and one column per key of `of`, for each training length.
template <class Of>
std::string table_by(const std::vector<Series>& series, const Of& of) {
  std::string text;
  for (const Window& window : by_window(series)) {
    std::set<double> lengths;
    std::vector<PanelFigure::Line> lines;
    for (const Series& one : window.series) {
      lines.push_back(line_of(one, method_style(one.name, 0), of));
      for (const auto& point : lines.back().points) lengths.insert(point.x);
    }
    std::vector<std::vector<std::string>> rows = {{rfs::format("trained on {} tokens", window.trained())}};
    for (const double length : lengths) rows.front().push_back(rfs::format("{:.0f}", length));
    for (const auto& line : lines) {
      rows.push_back({line.style.label});
      for (const double length : lengths) {
        const auto at = std::find_if(line.points.begin(), line.points.end(),
                                     [&](const PanelFigure::Point& point) { return point.x == length; });
        rows.back().push_back(at == line.points.end() ? "-" : rfs::format("{:.4g}", at->y));
      }
    }
    text += (text.empty() ? "" : "\n") + aligned(rows);
  }
  return text;
}

/// False for records of older programs.
bool has_last_losses(const std::vector<Series>& series) {
  for (const auto& one : series) {
    for (const auto& eval : one.evals) {
      if (eval.last_losses.empty()) return false;
    }
  }
  return true;
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
  if (with != 0 && with != all)
    throw Error("report: cannot mix language models with other runs; report them separately");
  return with > 0;
}

std::string perplexity_table(const std::vector<Series>& series) {
  return table_by(series, by_input);
}

PanelFigure perplexity_figure(const std::vector<Series>& series) {
  PanelFigure figure;
  figure.title = "Perplexity on held-out documents";
  figure.x_label = "tokens";
  figure.y_label = "perplexity";
  const bool last = has_last_losses(series);
  figure.columns = last ? 3 : 2;
  figure.log_scale = true;
  figure.own_x = true;
  const auto windows = by_window(series);
  std::vector<std::string> names, documents;
  for (const Window& window : windows) {
    PanelFigure::Panel by_inputs, by_context, by_places;
    const auto before = windows.size() > 1 ? rfs::format("trained on {}: ", window.trained()) : "";
    by_inputs.title = before + "second half of inputs by length";
    by_context.title = before + "the same tokens by length of the input";
    by_places.title = before + "longest inputs by position";
    for (const Series& one : window.series) {
      if (std::find(names.begin(), names.end(), one.name) == names.end()) names.push_back(one.name);
      const auto index = static_cast<size_t>(std::find(names.begin(), names.end(), one.name) - names.begin());
      const MethodStyle style = method_style(one.name, index);
      by_inputs.lines.push_back(line_of(one, style, by_input));
      if (last) by_context.lines.push_back(line_of(one, style, of_last_tokens));
      by_places.lines.push_back(line_of(one, style, by_place));
    }
    by_inputs.shaded = by_context.shaded = by_places.shaded = {0, static_cast<double>(window.tokens)};
    int64_t count = 0;
    for (const auto& loss : window.series.front().evals.front().losses) {
      if (loss.begin == 0) count = loss.targets / loss.end;
    }
    documents.push_back(rfs::format("{}", count));
    figure.panels.push_back(std::move(by_inputs));
    if (last) figure.panels.push_back(std::move(by_context));
    figure.panels.push_back(std::move(by_places));
  }
  figure.notes = {rfs::format("Shaded: up to the training length. {} documents; band: lowest and highest seed.",
                              joined(documents, " and "))};
  return figure;
}

void write_perplexity_report(const std::vector<Series>& series, const std::filesystem::path& folder) {
  require_writable(folder);
  draw_panels(perplexity_figure(series), folder, "perplexity");
  draw_loss(series, folder);
  write_file(folder / "table.md", perplexity_file(series));
  write_file(folder / "index.html", perplexity_page(series, folder));
}

std::string perplexity_file(const std::vector<Series>& series) {
  const std::string text = "Perplexity by input length in tokens\n\n" + perplexity_table(series);
  if (!has_last_losses(series)) return text;
  return text + "\nPerplexity of the same tokens, the last half window of each document, by input length\n\n" +
         table_by(series, of_last_tokens);
}

}  // namespace rfs
