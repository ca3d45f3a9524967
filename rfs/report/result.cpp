#include "rfs/report/result.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/report/arena.h"
#include "rfs/report/chart.h"
#include "rfs/report/mistakes.h"
#include "rfs/report/table.h"

namespace rfs {
namespace fs = std::filesystem;
namespace {

std::string seeds_text(const std::set<std::string>& seeds) {
  return join(std::vector<std::string>(seeds.begin(), seeds.end()));
}

/// One measure by length, averaged over the seeds of a series.
std::vector<PanelFigure::Point> points(const Series& series, Measure measure) {
  std::vector<PanelFigure::Point> points;
  if (measure == Measure::exact_match) {
    for (const auto& l : series.lengths)
      points.push_back({static_cast<double>(l.length), l.share, l.low, l.high, l.samples});
    return points;
  }
  struct Bin {
    std::vector<double> values;
    int64_t samples = 0;
  };
  std::map<int64_t, Bin> bins;
  for (const auto& eval : series.evals) {
    for (const auto& l : eval.lengths) {
      if (!l.decoded || l.decoded->samples == 0) continue;
      bins[l.length].values.push_back(measure == Measure::token_accuracy ? l.decoded->token_accuracy
                                                                         : l.decoded->edit_distance);
      bins[l.length].samples += l.decoded->samples;
    }
  }
  for (const auto& [length, bin] : bins) {
    double sum = 0;
    for (const double value : bin.values) sum += value;
    const auto [low, high] = std::minmax_element(bin.values.begin(), bin.values.end());
    points.push_back(
        {static_cast<double>(length), sum / static_cast<double>(bin.values.size()), *low, *high, bin.samples});
  }
  return points;
}

/// The mean of a measure of decoded answers over untrained lengths and seeds.
Series::Mean longer_mean(const Series& series, Measure measure) {
  std::set<int64_t> longer;
  for (const auto& l : series.lengths) {
    if (!l.trained) longer.insert(l.length);
  }
  Series::Mean mean;
  double sum = 0, low = 0, high = 0;
  int count = 0;
  for (const auto& p : points(series, measure)) {
    if (!longer.contains(static_cast<int64_t>(p.x))) continue;
    sum += p.y;
    low += p.low;
    high += p.high;
    ++count;
  }
  if (count > 0) mean = {sum / count, low / count, high / count, true};
  return mean;
}

std::set<std::string> seeds_of(const std::vector<Result>& results) {
  std::set<std::string> seeds;
  for (const auto& result : results) {
    for (const auto& series : result.series) {
      for (const Run& run : series.runs) seeds.insert(run.name());
    }
  }
  return seeds;
}

std::string samples_text(const std::vector<Result>& results, Measure measure) {
  int64_t least = 0, most = 0;
  for (const auto& result : results) {
    for (const auto& series : result.series) {
      for (const auto& eval : series.evals) {
        for (const auto& l : eval.lengths) {
          const int64_t samples = measure == Measure::exact_match ? l.total : l.decoded ? l.decoded->samples : 0;
          if (samples == 0) continue;
          least = least == 0 ? samples : std::min(least, samples);
          most = std::max(most, samples);
        }
      }
    }
  }
  return least == most ? rfs::format("{} samples per length and seed", least)
                       : rfs::format("{} to {} samples per length and seed", least, most);
}

bool has_single_seeds(const std::vector<Result>& results) {
  return std::any_of(results.begin(), results.end(), [](const Result& result) {
    return std::any_of(result.series.begin(), result.series.end(),
                       [](const Series& series) { return series.runs.size() == 1; });
  });
}

/// The seeds that runs of a training may have: the preset's, then any others that were trained.
std::vector<int64_t> seeds_below(const fs::path& folder, const Plan& plan) {
  std::vector<int64_t> seeds = plan.preset.seeds, others;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename();
    int64_t seed = 0;
    const auto parsed = std::from_chars(name.data(), name.data() + name.size(), seed);
    const bool number = parsed.ec == std::errc() && std::to_string(seed) == name;
    if (number && std::find(seeds.begin(), seeds.end(), seed) == seeds.end()) others.push_back(seed);
  }
  std::sort(others.begin(), others.end());
  seeds.insert(seeds.end(), others.begin(), others.end());
  return seeds;
}

}  // namespace

std::string measure_title(Measure measure) {
  if (measure == Measure::token_accuracy) return "token accuracy";
  return measure == Measure::edit_distance ? "edit distance" : "exact match";
}

std::vector<Run> seeds_of_training(const Plan& plan, const std::string& task, const std::string& training,
                                   const fs::path& out) {
  std::vector<Run> runs;
  const fs::path folder = (out / plan.run_folder(task, training, 0)).parent_path();
  for (const int64_t seed : seeds_below(folder, plan)) runs.emplace_back(folder / std::to_string(seed));
  return runs;
}

std::vector<Result> read_results(const Plan& plan, const fs::path& out) {
  std::vector<Result> results;
  for (const auto& [row, methods] : plan.lines) {
    for (const auto& task : plan.tasks) {
      Result result{task, plan.lines.size() > 1 ? row : "", {}, {}};
      for (size_t i = 0; i < methods.size(); ++i) {
        const Method& method = plan.method(methods[i]);
        std::vector<Run> runs;
        for (const Run& run : seeds_of_training(plan, task, method.training, out)) {
          if (run.trained() && run.evaluated(method.record)) runs.push_back(run);
        }
        if (runs.empty()) continue;
        result.methods.push_back(method.name);
        result.series.push_back(make_series(method_style(method.name, i).label, runs, method.record));
      }
      if (!result.series.empty()) results.push_back(std::move(result));
    }
  }
  return results;
}

std::string missing_text(const Plan& plan, const std::vector<Result>& results) {
  const auto seeds = seeds_of(results);
  std::vector<std::string> parts, missing_seeds, missing_tasks, lines, short_lines;
  for (const int64_t seed : plan.preset.seeds) {
    if (!seeds.contains(std::to_string(seed))) missing_seeds.push_back(std::to_string(seed));
  }
  if (!missing_seeds.empty()) parts.push_back((missing_seeds.size() == 1 ? "seed " : "seeds ") + join(missing_seeds));
  for (const auto& task : plan.tasks) {
    const auto is_task = [&](const Result& result) { return result.task == task; };
    if (std::none_of(results.begin(), results.end(), is_task)) missing_tasks.push_back(task_title(task));
  }
  if (!missing_tasks.empty()) parts.push_back(join(missing_tasks));
  // Missing lines of tasks that have records, and missing seeds of lines.
  for (const auto& task : plan.tasks) {
    if (std::find(missing_tasks.begin(), missing_tasks.end(), task_title(task)) != missing_tasks.end()) continue;
    for (const auto& method : plan.method_names()) {
      const Series* found = nullptr;
      for (const auto& result : results) {
        const auto it = std::find(result.methods.begin(), result.methods.end(), method);
        if (result.task == task && it != result.methods.end())
          found = &result.series[static_cast<size_t>(it - result.methods.begin())];
      }
      const std::string label =
          (plan.tasks.size() > 1 ? task_title(task) + " with " : "") + method_style(method, 0).label;
      if (!found) {
        lines.push_back(label);
      } else if (found->runs.size() < seeds.size()) {
        short_lines.push_back(
            rfs::format("{} of {} seeds of {}", seeds.size() - found->runs.size(), seeds.size(), label));
      }
    }
  }
  if (lines.size() + short_lines.size() > 4) {
    const auto counted = [](size_t count) { return rfs::format("{} line{}", count, count == 1 ? "" : "s"); };
    if (!lines.empty()) lines = {counted(lines.size())};
    if (!short_lines.empty()) short_lines = {"seeds of " + counted(short_lines.size())};
  }
  parts.insert(parts.end(), lines.begin(), lines.end());
  parts.insert(parts.end(), short_lines.begin(), short_lines.end());
  return join(parts, "; ");
}

PanelFigure result_figure(const Plan& plan, const std::vector<Result>& results, Measure measure) {
  PanelFigure figure;
  figure.title = plan.title;
  figure.x_label = "length";
  figure.y_label = measure_title(measure);
  std::set<std::string> tasks;
  for (const auto& result : results) tasks.insert(result.task);
  for (const auto& result : results) {
    PanelFigure::Panel panel;
    panel.title = task_title(result.task) + (result.row.empty() ? "" : ", " + result.row);
    for (size_t i = 0; i < result.series.size(); ++i) {
      const auto line = points(result.series[i], measure);
      if (!line.empty()) panel.lines.push_back({method_style(result.methods[i], i), line, sources(result.series[i])});
    }
    if (const Span span = length_span(result.series, true); span.any) {
      panel.shaded = {static_cast<double>(span.first), static_cast<double>(span.last)};
    }
    panel.new_row = tasks.size() > 1 && &result != &results.front() && (&result - 1)->row != result.row;
    if (!panel.lines.empty()) figure.panels.push_back(std::move(panel));
  }
  if (figure.panels.empty()) return figure;
  figure.columns = tasks.size() == 1   ? figure.panels.size()
                   : tasks.size() <= 3 ? tasks.size()
                   : tasks.size() == 7 ? 4
                                       : 3;
  if (figure.panels.size() == 1 && plan.tasks.size() == 1) figure.panels.front().title.clear();
  const auto seeds = seeds_of(results);
  const bool several = seeds.size() > 1;
  const bool exact = measure == Measure::exact_match;
  const char* band = several && exact && has_single_seeds(results)
                         ? "band: lowest to highest seed, 95 % interval for a single seed"
                     : several ? "band: lowest to highest seed"
                     : exact   ? "band: 95 % interval"
                               : "one seed";
  figure.notes.push_back(rfs::format("Shaded: trained lengths. {} {}; {}; {}.", several ? "Mean of seeds" : "Seed",
                                     seeds_text(seeds), band, samples_text(results, measure)));
  figure.notes.push_back(
      rfs::format("{}, {} steps{}.", plan.preset.name == "paper" ? "The paper's sizes" : "Preset " + plan.preset.name,
                  plan.steps, plan.steps == plan.preset.steps ? "" : rfs::format(" instead of {}", plan.preset.steps)));
  if (const auto missing = missing_text(plan, results); !missing.empty())
    figure.notes.back() += " Missing: " + missing + ".";
  return figure;
}

std::string result_table(const Plan& plan, const std::vector<Result>& results) {
  std::vector<std::vector<std::string>> rows = {{"task", "method", "trained lengths", "longer lengths", "seeds",
                                                 "training per seed", "token accuracy, longer",
                                                 "edit distance, longer"}};
  bool decoded = false;
  for (const auto& result : results) {
    for (const auto& series : result.series) {
      double seconds = 0;
      for (const auto& train : series.trains) seconds += train.seconds;
      const auto tokens = longer_mean(series, Measure::token_accuracy),
                 edits = longer_mean(series, Measure::edit_distance);
      decoded = decoded || tokens.any;
      rows.push_back({task_title(result.task), series.name, share_text(series.mean(true)),
                      share_text(series.mean(false)), rfs::format("{}", series.runs.size()),
                      rfs::format("{:.0f} s", seconds / static_cast<double>(series.runs.size())), share_text(tokens),
                      share_text(edits)});
    }
  }
  for (auto& row : rows) {
    if (!decoded) row.resize(6);
  }
  std::string text = aligned(rows, 2);
  std::vector<std::vector<std::string>> comparison = {{"task", "method", "lengths", "ours", "published", "source"}};
  for (const auto& number : plan.published) {
    for (const auto& result : results) {
      const auto it = std::find(result.methods.begin(), result.methods.end(), number.method);
      if (plan.preset.name != "paper" || result.task != number.task || it == result.methods.end()) continue;
      const auto& series = result.series[static_cast<size_t>(it - result.methods.begin())];
      comparison.push_back({task_title(number.task), series.name,
                            number.first == number.last ? rfs::format("{}", number.first)
                                                        : rfs::format("{}-{}", number.first, number.last),
                            share_text(series.mean(number.first, number.last), 3), share_text(number.value, 3),
                            number.source});
      break;
    }
  }
  if (comparison.size() > 1) text += "\nCompared with published numbers:\n\n" + aligned(comparison, 2);
  for (const auto& result : results) {
    if (!any_decoded(result.series)) continue;
    text += rfs::format("\n{}{}: wrong answers on longer lengths, by their first mistake\n\n", task_title(result.task),
                        result.row.empty() ? "" : ", " + result.row);
    text += aligned(mistake_rows(result.series));
  }
  return text;
}

std::string error_table(const Plan& plan, const std::vector<Result>& results) {
  std::string text;
  for (const auto& result : results) {
    text += rfs::format("{}### {}\n\n", text.empty() ? "" : "\n", task_title(result.task));
    if (result.methods.size() < plan.method_names().size()) {
      text += "Not all methods have records.\n";
      continue;
    }
    // From the first seed of each method; all methods see the same samples in the same order.
    const auto& first = result.series.front().evals.front();
    const EvalRecord::Answer* chosen = nullptr;
    std::vector<std::string> given;
    for (const auto& answer : first.answers) {
      const auto bin = std::find_if(first.lengths.begin(), first.lengths.end(),
                                    [&](const auto& l) { return l.length == answer.length; });
      if (bin == first.lengths.end() || bin->trained || answer.right || (chosen && chosen->length <= answer.length))
        continue;
      std::vector<std::string> texts;
      for (const auto& series : result.series) {
        for (const auto& other : series.evals.front().answers) {
          if (other.prompt == answer.prompt && !other.right && other.length == answer.length) {
            texts.push_back(other.given);
            break;
          }
        }
      }
      if (texts.size() < result.series.size()) continue;
      chosen = &answer;
      given = texts;
    }
    if (!chosen) {
      text += "No decoded sample that all methods get wrong.\n";
      continue;
    }
    std::vector<std::vector<std::string>> rows = {{"", rfs::format("length {}: {}", chosen->length, chosen->prompt)}};
    rows.push_back({"Target", chosen->expected});
    for (size_t i = 0; i < given.size(); ++i) rows.push_back({result.series[i].name, given[i]});
    text += aligned(rows, 2);
  }
  return text;
}

std::vector<std::pair<std::string, std::string>> result_files(const Plan& plan, const fs::path& out) {
  if (plan.kind == "arena") return arena_files(plan, out);
  const auto results = read_results(plan, out);
  if (results.empty()) return {};
  if (plan.kind == "errors") return {{"table.md", error_table(plan, results)}};
  std::vector<std::pair<std::string, std::string>> files = {{"table.md", result_table(plan, results)}};
  for (const Measure measure : {Measure::exact_match, Measure::token_accuracy, Measure::edit_distance}) {
    const auto figure = result_figure(plan, results, measure);
    std::string name = measure_title(measure);
    std::replace(name.begin(), name.end(), ' ', '_');
    if (!figure.panels.empty()) files.emplace_back(name + ".dat", panel_data(figure));
  }
  return files;
}

bool write_result(const Plan& plan, const fs::path& out) {
  const auto results = read_results(plan, out);
  if (results.empty()) return false;
  const fs::path folder = out / plan.folder();
  write_experiment(plan, out);
  for (const auto& [name, content] : result_files(plan, out)) write_file(folder / name, content);
  if (plan.kind == "arena") draw_arena(plan, out);
  if (plan.kind == "lengths") {
    for (const Measure measure : {Measure::exact_match, Measure::token_accuracy, Measure::edit_distance}) {
      const auto figure = result_figure(plan, results, measure);
      std::string name = measure_title(measure);
      std::replace(name.begin(), name.end(), ' ', '_');
      if (!figure.panels.empty()) draw_panels(figure, folder, name);
    }
  }
  return true;
}

void write_experiment(const Plan& plan, const fs::path& out) {
  write_file(out / plan.folder() / "experiment.toml",
             rfs::format("# Drawn by `rfs reproduce {} --preset {} --steps {} --draw` from the records in ../runs.\n"
                         "[experiment]\nname = \"{}\"\npreset = \"{}\"\nsteps = {}\n",
                         plan.name, plan.preset.name, plan.steps, plan.name, plan.preset.name, plan.steps));
}

}  // namespace rfs
