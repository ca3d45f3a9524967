#include "rfs/records/run.h"

#include <algorithm>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/core/split.h"
#include "rfs/records/validation_record.h"

namespace rfs {
namespace fs = std::filesystem;
namespace {

bool there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

}  // namespace

std::string Run::name() const {
  return one_line(fs::weakly_canonical(folder_).filename().string());
}
bool Run::exists() const {
  return there(file("settings.toml"));
}
bool Run::trained() const {
  return there(file("train.json"));
}

fs::path Run::eval_file(const std::string& name) const {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  if (!std::all_of(name.begin(), name.end(), letter)) {
    throw Error(
        rfs::format("name of an evaluation: must consist of letters, digits, '_' and '-', got '{}'", shortened(name)));
  }
  return file(name.empty() ? "eval.json" : "eval-" + name + ".json");
}

bool Run::evaluated(const std::string& name) const {
  return there(eval_file(name));
}

std::vector<std::string> Run::evaluations() const {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder_, ignored)) {
    const std::string stem = entry.path().stem().string();
    if (entry.path().extension() != ".json") continue;
    if (stem == "eval") names.emplace_back();
    if (stem.starts_with("eval-")) names.push_back(stem.substr(5));
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string Run::settings() const {
  return read_file(file("settings.toml"));
}
void Run::write(const TrainRecord& record) const {
  write_train_record(file("train.json"), record);
}
void Run::write(const EvalRecord& record, const std::string& name) const {
  write_eval_record(eval_file(name), record);
}
void Run::add(const Metric& metric) const {
  append_line(file("metrics.jsonl"), metric_line(metric));
}
TrainRecord Run::train_record() const {
  return read_train_record(file("train.json"));
}
EvalRecord Run::eval_record(const std::string& name) const {
  return read_eval_record(eval_file(name));
}

std::vector<Metric> Run::metrics() const {
  std::vector<Metric> metrics;
  if (!there(file("metrics.jsonl"))) return metrics;
  const std::string text = read_file(file("metrics.jsonl"));
  for (const std::string_view line : split_lines(text)) {
    if (auto metric = read_metric(line)) metrics.push_back(*metric);
  }
  return metrics;
}

void Run::keep_metrics(int64_t steps) const {
  std::string kept;
  for (const auto& metric : metrics()) {
    if (metric.step <= steps) kept += metric_line(metric) + "\n";
  }
  write_file(file("metrics.jsonl"), kept);
  keep_validation(folder_, steps);
}

std::vector<Run> find_runs(const fs::path& folder) {
  std::error_code code;
  if (!fs::is_directory(folder, code)) {
    throw Error(rfs::format("{}: no such run folder", folder.string()));
  }
  std::vector<Run> runs;
  if (Run run(folder); run.exists()) runs.push_back(run);
  for (const auto& entry : fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied)) {
    if (entry.is_directory(code) && Run(entry.path()).exists()) runs.emplace_back(entry.path());
  }
  if (runs.empty()) {
    throw Error(rfs::format("{}: no runs found here (a run is a folder with settings.toml)", folder.string()));
  }
  std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.folder() < b.folder(); });
  return runs;
}

}  // namespace rfs
