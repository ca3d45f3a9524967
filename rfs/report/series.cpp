#include "rfs/report/series.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "rfs/core/error.h"
#include "rfs/core/settings.h"
#include "rfs/core/statistics.h"

namespace rfs {
namespace {

std::map<std::string, std::string> flatten(const std::string& toml, const std::string& name) {
  std::map<std::string, std::string> flat;
  const auto settings = Settings::from_text(toml, name);
  for (const auto& table : settings.tables()) {
    for (const auto& [key, value] : table.values) flat[table.name + "." + key] = value.text();
  }
  return flat;
}

std::map<std::string, std::string> without_seed(std::map<std::string, std::string> settings) {
  settings.erase("train.seed");
  return settings;
}

/// Names each series by the settings that differ between them. A choice is named alone (`rope`), another key with its
/// value (`range = 10.0`); keys that only some choices have are left out.
void name_series(std::vector<Series>& series) {
  std::vector<std::string> differing;
  for (const auto& [key, first] : without_seed(series.front().settings)) {
    const auto has = [&](const Series& s) { return s.settings.contains(key); };
    const auto same = [&](const Series& s) { return s.settings.at(key) == first; };
    if (std::all_of(series.begin(), series.end(), has) && !std::all_of(series.begin(), series.end(), same)) {
      differing.push_back(key);
    }
  }
  for (Series& one : series) {
    for (const auto& key : differing) {
      std::string value = one.settings.at(key), name = key.substr(key.find('.') + 1);
      if (value.starts_with('"')) value = value.substr(1, value.size() - 2);
      one.name += (one.name.empty() ? "" : ", ") + (name == "use" ? value : fmt::format("{} = {}", name, value));
    }
    if (one.name.empty()) one.name = one.runs.front().name();
  }
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
    series.lengths.push_back({length, bin.trained, sum / static_cast<double>(bin.shares.size()), interval.low,
                              interval.high, bin.total});
  }
}

}  // namespace

Series::Mean Series::mean(bool trained) const {
  Mean result;
  double sum = 0;
  int seeds = 0;
  for (const auto& eval : evals) {
    const auto share = eval.mean(trained);
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

std::vector<Series> read_series(const std::vector<std::filesystem::path>& folders) {
  std::vector<Series> series;
  std::set<std::filesystem::path> seen;
  for (const auto& folder : folders) {
    for (const Run& run : find_runs(folder)) {
      if (!run.evaluated() || !seen.insert(std::filesystem::weakly_canonical(run.folder())).second) continue;
      EvalRecord eval = run.eval_record();
      const auto settings = flatten(eval.settings, run.file("eval.json").string());
      auto same = std::find_if(series.begin(), series.end(),
                               [&](const Series& s) { return without_seed(s.settings) == without_seed(settings); });
      if (same == series.end()) {
        same = series.insert(series.end(), Series{});
        same->settings = settings;
      }
      same->runs.push_back(run);
      same->evals.push_back(std::move(eval));
      same->trains.push_back(run.train_record());
    }
  }
  if (series.empty()) {
    throw Error(fmt::format("{}: must hold an evaluated run, got none; evaluate with: rfs eval {}",
                            folders.front().string(), folders.front().string()));
  }
  name_series(series);
  for (Series& one : series) add_lengths(one);
  return series;
}

}  // namespace rfs
