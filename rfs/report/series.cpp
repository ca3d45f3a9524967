#include "rfs/report/series.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/core/settings.h"
#include "rfs/core/statistics.h"

namespace rfs {
namespace {

std::map<std::string, std::string> flatten(const std::string& toml, const std::string& name) {
  std::map<std::string, std::string> flat;
  const auto settings = Settings::from_text(toml, name);
  for (const auto& table : settings.tables()) {
    for (const auto& [key, value] : table.values()) flat[table.name + "." + key] = value.text();
  }
  return flat;
}

/// The settings in which series can differ: without the seed and without logging options.
std::map<std::string, std::string> identity(std::map<std::string, std::string> settings) {
  for (const char* key : {"train.seed", "train.log_every", "train.checkpoint_every", "eval.answers", "eval.decoded",
                          "eval.batch_tokens"}) {
    settings.erase(key);
  }
  return settings;
}

std::string part_of_name(const Series& series, const std::string& key) {
  const std::string name = key.substr(key.find('.') + 1);
  return name == "use" ? series.setting(key) : rfs::format("{} = {}", name, series.setting(key));
}

/// Appends to the names of some series the settings that all of them have and in which they differ. A choice appears as
/// its name (`rope`), another key with its value (`range = 10.0`). Returns the number of these settings.
size_t name_by_difference(const std::vector<Series*>& series) {
  size_t count = 0;
  for (const auto& [key, first] : identity(series.front()->settings)) {
    const auto has = [&](const Series* s) { return s->settings.contains(key); };
    const auto same = [&](const Series* s) { return s->settings.at(key) == first; };
    if (!std::all_of(series.begin(), series.end(), has) || std::all_of(series.begin(), series.end(), same)) continue;
    for (Series* one : series) one->name += (one->name.empty() ? "" : ", ") + part_of_name(*one, key);
    ++count;
  }
  return count;
}

bool all_different(const std::vector<std::string>& names) {
  return std::set<std::string>(names.begin(), names.end()).size() == names.size();
}

/// The names of the series' folders, if each series is one run; with the folder around them if they are not all
/// different. Empty if there are no such names.
std::vector<std::string> folder_names(const std::vector<Series>& series) {
  for (const bool with_parent : {false, true}) {
    std::vector<std::string> names;
    for (const Series& one : series) {
      if (one.runs.size() != 1) return {};
      const Run& run = one.runs.front();
      const auto parent = run.folder().parent_path().filename();
      names.push_back(with_parent ? (parent / run.name()).generic_string() : run.name());
    }
    if (all_different(names)) return names;
  }
  return {};
}

void add_lengths(Series& series) {
  struct Bin {
    bool trained = false;
    int64_t correct = 0, total = 0;
    std::vector<double> shares;
  };
  std::map<int64_t, Bin> bins;
  for (const auto& eval : series.evals) {
    for (const auto& length : eval.lengths) {
      if (length.total == 0) continue;
      Bin& bin = bins[length.length];
      bin.trained = length.trained;
      bin.correct += length.correct;
      bin.total += length.total;
      bin.shares.push_back(static_cast<double>(length.correct) / static_cast<double>(length.total));
    }
  }
  for (const auto& [length, bin] : bins) {
    double sum = 0;
    for (const double share : bin.shares) sum += share;
    Interval interval = wilson(bin.correct, bin.total);
    if (bin.shares.size() > 1) {
      const auto [low, high] = std::minmax_element(bin.shares.begin(), bin.shares.end());
      interval = {*low, *high};
    }
    series.lengths.push_back(
        {length, bin.trained, sum / static_cast<double>(bin.shares.size()), interval.low, interval.high, bin.total});
  }
}

void require_evaluation(const Run& run, const std::string& name) {
  if (run.evaluated(name)) return;
  if (name.empty()) {
    throw Error(rfs::format("{}: this run is not evaluated yet; run: rfs eval {}", run.folder().string(),
                            run.folder().string()));
  }
  std::vector<std::string> known = run.evaluations();
  for (auto& one : known) one = one.empty() ? "the main one (without --eval)" : one;
  throw Error(rfs::format("{}: no evaluation '{}' ({}); make it with: rfs eval {} --as {}", run.folder().string(), name,
                          known.empty() ? std::string("it has none") : "it has: " + join(known), run.folder().string(),
                          name));
}

}  // namespace

// First by settings that all series have. Series that still share a name are then named by the settings that they have.
// Names of many settings say less than those of the folders, and so do names that several series have.
void name_apart(std::vector<Series>& series) {
  std::vector<Series*> all;
  for (Series& one : series) {
    one.name.clear();
    all.push_back(&one);
  }
  constexpr size_t most_settings = 4;
  const size_t shared = name_by_difference(all);
  size_t own = 0;
  std::map<std::string, std::vector<Series*>> alike;
  for (Series* one : all) alike[one->name].push_back(one);
  for (auto& [name, group] : alike) {
    if (group.size() > 1) own = std::max(own, name_by_difference(group));
  }
  std::vector<std::string> names;
  for (Series& one : series) {
    if (one.name.empty()) one.name = one.runs.front().name();
    names.push_back(one.name);
  }
  // A pattern of layers that only some series have is named by no setting that all have.
  const auto has_pattern = [](const Series* one) { return one->settings.contains("layers.pattern"); };
  const auto patterns = static_cast<size_t>(std::count_if(all.begin(), all.end(), has_pattern));
  const bool told = patterns == 0 || patterns == all.size();
  if (told && shared + own <= most_settings && all_different(names)) return;
  const auto folders = folder_names(series);
  for (size_t i = 0; i < folders.size(); ++i) series[i].name = folders[i];
}

std::map<std::string, std::string> telling_settings(const std::string& toml, const std::string& name) {
  return identity(flatten(toml, name));
}

std::string Series::setting(const std::string& key) const {
  const auto it = settings.find(key);
  if (it == settings.end()) return "";
  return it->second.starts_with('"') ? it->second.substr(1, it->second.size() - 2) : it->second;
}

Span length_span(const std::vector<Series>& series, bool trained) {
  Span all;
  for (const auto& one : series) {
    Span span;
    for (const auto& length : one.lengths) {
      if (length.trained != trained) continue;
      span.first = span.any ? std::min(span.first, length.length) : length.length;
      span.last = span.any ? std::max(span.last, length.length) : length.length;
      span.any = true;
    }
    if (&one == &series.front()) all = span;
    all.any = all.any && span.any;
    all.first = std::max(all.first, span.first);
    all.last = std::min(all.last, span.last);
    all.any = all.any && all.first <= all.last;
  }
  return all;
}

namespace {

Series::Mean mean_of_seeds(const std::vector<EvalRecord>& evals,
                           const std::function<std::optional<double>(const EvalRecord&)>& share_of) {
  Series::Mean result;
  double sum = 0;
  int seeds = 0;
  for (const auto& eval : evals) {
    const auto share = share_of(eval);
    if (!share) continue;
    sum += *share;
    ++seeds;
    result.low = result.any ? std::min(result.low, *share) : *share;
    result.high = result.any ? std::max(result.high, *share) : *share;
    result.any = true;
  }
  if (seeds > 0) result.mean = sum / seeds;
  return result;
}

}  // namespace

Series::Mean Series::mean(bool trained) const {
  return mean_of_seeds(evals, [&](const EvalRecord& eval) { return eval.mean(trained); });
}

Series::Mean Series::mean(int64_t first, int64_t last) const {
  return mean_of_seeds(evals, [&](const EvalRecord& eval) -> std::optional<double> {
    EvalRecord some;
    for (auto length : eval.lengths) {
      length.trained = false;
      if (length.length >= first && length.length <= last) some.lengths.push_back(length);
    }
    return some.mean(false);
  });
}

std::vector<Series> read_series(const std::vector<std::filesystem::path>& folders, const std::string& eval_name,
                                const std::function<std::string(const std::string&)>& resolve) {
  std::vector<Series> series;
  std::set<std::filesystem::path> seen;
  for (const auto& folder : folders) {
    for (const Run& run : find_runs(folder)) {
      if (!eval_name.empty() || run.folder() == folder) require_evaluation(run, eval_name);
      if (!run.evaluated(eval_name) || !seen.insert(std::filesystem::weakly_canonical(run.folder())).second) continue;
      EvalRecord eval = run.eval_record(eval_name);
      if (resolve) eval.settings = resolve(eval.settings);
      const auto settings = flatten(eval.settings, run.eval_file(eval_name).string());
      auto same = std::find_if(series.begin(), series.end(),
                               [&](const Series& s) { return identity(s.settings) == identity(settings); });
      if (same == series.end()) {
        same = series.insert(series.end(), Series{});
        same->settings = settings;
      }
      const auto copied = [&](const EvalRecord& other) { return other.settings == eval.settings; };
      if (std::any_of(same->evals.begin(), same->evals.end(), copied)) continue;
      same->runs.push_back(run);
      same->evals.push_back(std::move(eval));
      same->trains.push_back(run.train_record());
    }
  }
  if (series.empty()) {
    throw Error(rfs::format("{}: no evaluated runs found here; run: rfs eval {}", folders.front().string(),
                            folders.front().string()));
  }
  for (const auto& one : series) {
    if (one.setting("task.use") != series.front().setting("task.use")) {
      throw Error(rfs::format("{}: runs in one report must have the same task, got {} and {}; report them separately",
                              one.runs.front().folder().string(), series.front().setting("task.use"),
                              one.setting("task.use")));
    }
  }
  name_apart(series);
  for (Series& one : series) add_lengths(one);
  return series;
}

Series make_series(const std::string& name, const std::vector<Run>& runs, const std::string& evaluation) {
  Series series;
  series.name = name;
  for (const Run& run : runs) {
    series.runs.push_back(run);
    series.evals.push_back(run.eval_record(evaluation));
    series.trains.push_back(run.train_record());
  }
  if (!runs.empty()) {
    series.settings = flatten(series.evals.front().settings, runs.front().eval_file(evaluation).string());
  }
  add_lengths(series);
  return series;
}

}  // namespace rfs
