#include "rfs/web/watch.h"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/core/settings.h"
#include "rfs/core/statistics.h"
#include "rfs/core/words.h"
#include "rfs/records/run.h"
#include "rfs/records/validation_record.h"
#include "rfs/report/assets.h"
#include "rfs/report/chart.h"
#include "rfs/report/html.h"

namespace rfs {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::json;

constexpr size_t most_runs = 24;  // more lines cannot be told apart; the latest ones are shown

double seconds_of(const fs::file_time_type& time) {
  return std::chrono::duration<double>(time.time_since_epoch()).count();
}

/// A run in training, with what its files say now.
struct Watched {
  Run run;
  std::string name;
  double changed = 0;  ///< when its metrics last grew
  int64_t steps = 0;
  bool language = false;  ///< trained on a corpus; validation is then a loss
  std::vector<Metric> metrics = {};
  std::vector<ValidationRecord> validations = {};
  std::optional<EvalRecord> eval = {};
};

Watched watched(const Run& run, const fs::path& folder) {
  Watched one{run, one_line(run.folder().lexically_relative(folder).generic_string())};
  if (one.name.empty() || one.name == ".") one.name = run.name();
  std::error_code ignored;
  const fs::path metrics = run.file("metrics.jsonl");
  const auto time = fs::last_write_time(fs::exists(metrics, ignored) ? metrics : run.file("settings.toml"), ignored);
  if (!ignored) one.changed = seconds_of(time);
  return one;
}

void read(Watched& one) {
  const auto settings = Settings::from_text(one.run.settings(), one.run.file("settings.toml").string());
  if (const Table* train = settings.find("train")) {
    if (const Value* steps = train->find("steps")) one.steps = std::get<int64_t>(steps->data);
  }
  const Table* task = settings.find("task");
  const Value* use = task ? task->find("use") : nullptr;
  one.language = use && use->text() == "\"corpus\"";
  one.metrics = one.run.metrics();
  one.validations = read_validation(one.run.folder());
  if (one.run.evaluated()) one.eval = one.run.eval_record();
}

using Steps = std::vector<std::pair<int64_t, double>>;

/// A line per run, with the values that `of` gives for it.
PanelFigure by_step(const std::vector<Watched>& runs, const std::string& label,
                    const std::function<Steps(const Watched&)>& of) {
  PanelFigure figure;
  figure.x_label = "step";
  figure.y_label = label;
  PanelFigure::Panel panel;
  for (size_t i = 0; i < runs.size(); ++i) {
    PanelFigure::Line line{series_style(runs[i].name, i), {}};
    for (const auto& [step, y] : of(runs[i])) line.points.push_back({static_cast<double>(step), y, y, y, 1});
    if (!line.points.empty()) panel.lines.push_back(std::move(line));
  }
  if (!panel.lines.empty()) figure.panels.push_back(std::move(panel));
  return figure;
}

/// Validation of language models, which is a loss, or of all other runs.
std::function<Steps(const Watched&)> validation_of(bool language) {
  return [language](const Watched& one) {
    Steps steps;
    for (const auto& metric : one.metrics) {
      if (metric.validation && one.language == language) steps.emplace_back(metric.step, *metric.validation);
    }
    return steps;
  };
}

Steps loss_of(const Watched& one) {
  Steps steps;
  for (const auto& metric : one.metrics) steps.emplace_back(metric.step, metric.loss);
  return steps;
}

/// Exact match on untrained lengths at each validation, if it counts them (train.validate_longer).
Steps longer_of(const Watched& one) {
  Steps steps;
  for (const auto& validation : one.validations) {
    int64_t correct = 0, total = 0;
    for (const auto& l : validation.lengths) {
      if (l.trained) continue;
      correct += l.correct;
      total += l.total;
    }
    if (total > 0) steps.emplace_back(validation.step, static_cast<double>(correct) / static_cast<double>(total));
  }
  return steps;
}

/// Exact match by length: of the evaluation once it is done, until then of the latest validation.
PanelFigure by_length(const std::vector<Watched>& runs) {
  PanelFigure figure;
  figure.x_label = "length";
  figure.y_label = "exact match";
  PanelFigure::Panel panel;
  for (size_t i = 0; i < runs.size(); ++i) {
    const auto& one = runs[i];
    if (!one.eval && one.validations.empty()) continue;
    const auto& lengths = one.eval ? one.eval->lengths : one.validations.back().lengths;
    PanelFigure::Line line{series_style(one.name, i), {}};
    for (const auto& l : lengths) {
      if (l.total == 0) continue;
      const Interval interval = wilson(l.correct, l.total);
      line.points.push_back({static_cast<double>(l.length),
                             static_cast<double>(l.correct) / static_cast<double>(l.total), interval.low, interval.high,
                             l.total});
      if (!l.trained) continue;
      const auto x = static_cast<double>(l.length);
      if (!panel.shaded) panel.shaded = {x, x};
      panel.shaded = {std::min(panel.shaded->first, x), std::max(panel.shaded->second, x)};
    }
    if (!line.points.empty()) panel.lines.push_back(std::move(line));
  }
  figure.notes = {
      "Validation while a run trains; all lengths once it is evaluated, or with train.validate_longer. Shaded: trained "
      "lengths. Band: 95 % interval."};
  if (!panel.lines.empty()) figure.panels.push_back(std::move(panel));
  return figure;
}

}  // namespace

double RunWatch::seconds_left(const std::string& name, Seen now, int64_t steps) {
  const auto [first, fresh] = first_seen_.try_emplace(name, now);
  if (!fresh && now.step < first->second.step) first->second = now;  // it was started again
  const auto done = now.step - first->second.step;
  if (done <= 0) return -1;
  return (now.time - first->second.time) / static_cast<double>(done) * static_cast<double>(steps - now.step);
}

std::string RunWatch::state() {
  std::vector<Watched> runs;
  std::error_code ignored;
  if (fs::is_directory(folder_, ignored)) {
    try {
      for (const Run& run : find_runs(folder_)) runs.push_back(watched(run, folder_));
    } catch (const Error&) {  // no runs yet
    }
  }
  const size_t all = runs.size();
  std::sort(runs.begin(), runs.end(), [](const Watched& a, const Watched& b) { return a.changed > b.changed; });
  if (runs.size() > most_runs) runs.erase(runs.begin() + most_runs, runs.end());
  std::sort(runs.begin(), runs.end(),
            [](const Watched& a, const Watched& b) { return a.run.folder() < b.run.folder(); });

  const double now = seconds_of(fs::file_time_type::clock::now());
  Json rows = Json::array();
  for (auto& one : runs) {
    read(one);
    const int64_t step = one.metrics.empty() ? 0 : one.metrics.back().step;
    Json row = {{"name", one.name}, {"step", step}, {"steps", one.steps}};
    const double left = seconds_left(one.name, {step, one.changed}, one.steps);
    if (one.eval) {
      row["state"] = "evaluated";
    } else if (one.run.trained()) {
      row["state"] = "trained";
    } else {
      row["state"] = rfs::format("last news {} ago", duration_text(std::max(0.0, now - one.changed)));
      row["left"] = left < 0 ? "-" : duration_text(left);
    }
    if (!one.metrics.empty()) {
      row["loss"] = rfs::format("{:.4f}", one.metrics.back().loss);
      row["speed"] = count_text(one.metrics.back().tokens_per_second) + " tok/s";
    }
    for (const auto& metric : one.metrics) {
      if (metric.validation) row["validation"] = rfs::format("{:.3f}", *metric.validation);
    }
    rows.push_back(std::move(row));
  }

  PanelFigure validation_loss = by_step(runs, "loss (nats per token)", validation_of(true));
  validation_loss.open_top = true;
  PanelFigure loss = by_step(runs, "loss (nats per token)", loss_of);
  loss.open_top = true;
  Json charts = Json::array();
  const std::vector<std::pair<std::string, PanelFigure>> figures = {
      {"Training loss", loss},
      {"Validation loss during training", validation_loss},
      {"Validation during training", by_step(runs, "exact match", validation_of(false))},
      {"Untrained lengths during training", by_step(runs, "exact match", longer_of)},
      {"Exact match by length", by_length(runs)}};
  for (const auto& [title, figure] : figures) {
    if (!figure.panels.empty()) charts.push_back(Json::parse(chart_json(title, {{figure.y_label, figure}}, {})));
  }
  const Json state = {{"runs", rows}, {"left_out", all - runs.size()}, {"charts", charts}};
  return state.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string watch_page(const fs::path& folder) {
  return page_begin("rfs: runs in training", "'self'") +
         rfs::format(
             "<h1>Runs in <code>{}</code></h1><p class=gone role=status hidden></p><div class=runs></div>"
             "<div class=charts></div><p class=small>This page refreshes itself. Served by rfs watch on this machine "
             "only; "
             "Ctrl-C in its terminal ends it.</p><script>\n{}</script><script>\n{}</script></body></html>\n",
             escaped(folder.string()), chart_js, watch_js);
}

}  // namespace rfs
