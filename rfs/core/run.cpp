#include "rfs/core/run.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/core/split.h"
#include "rfs/core/version.h"

namespace rfs {
namespace fs = std::filesystem;
using Json = nlohmann::json;

namespace {

template <class T>
void give(Json& json, const char* key, const std::optional<T>& value) {
  if (value) json[key] = *value;
}
template <class T>
void take(const Json& json, const char* key, std::optional<T>& value) {
  if (!json.contains(key)) return;
  T held{};
  json.at(key).get_to(held);
  value = std::move(held);
}

}  // namespace

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(EvalRecord::Decoded, samples, token_accuracy, edit_distance, first_mistakes,
                                   mistakes)

void to_json(Json& json, const EvalRecord::Length& l) {
  json = {{"length", l.length}, {"correct", l.correct}, {"total", l.total}, {"trained", l.trained}};
  give(json, "decoded", l.decoded);
}

void from_json(const Json& json, EvalRecord::Length& l) {
  json.at("length").get_to(l.length);
  json.at("correct").get_to(l.correct);
  json.at("total").get_to(l.total);
  json.at("trained").get_to(l.trained);
  take(json, "decoded", l.decoded);
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(EvalRecord::Answer, length, prompt, expected, given, right)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(EvalRecord::Strip, label, positions)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(EvalRecord::Loss, input, begin, end, targets, loss)

void to_json(Json& json, const EvalRecord& r) {
  json = {{"settings", r.settings}, {"seconds", r.seconds}, {"lengths", r.lengths},
          {"answers", r.answers},   {"strips", r.strips},   {"provenance", r.provenance}};
  if (!r.losses.empty()) json["losses"] = r.losses;
}

void from_json(const Json& json, EvalRecord& r) {
  json.at("settings").get_to(r.settings);
  json.at("seconds").get_to(r.seconds);
  json.at("lengths").get_to(r.lengths);
  json.at("answers").get_to(r.answers);
  json.at("strips").get_to(r.strips);
  json.at("provenance").get_to(r.provenance);
  if (json.contains("losses")) json.at("losses").get_to(r.losses);
}

void to_json(Json& json, const Metric& m) {
  json = {{"step", m.step},
          {"loss", m.loss},
          {"learning_rate", m.learning_rate},
          {"gradient_norm", m.gradient_norm},
          {"tokens_per_second", m.tokens_per_second}};
  give(json, "validation", m.validation);
}

void from_json(const Json& json, Metric& m) {
  json.at("step").get_to(m.step);
  json.at("loss").get_to(m.loss);
  json.at("learning_rate").get_to(m.learning_rate);
  json.at("gradient_norm").get_to(m.gradient_norm);
  json.at("tokens_per_second").get_to(m.tokens_per_second);
  take(json, "validation", m.validation);
}

void to_json(Json& json, const TrainRecord& r) {
  json = {{"steps", r.steps},           {"tokens", r.tokens},         {"trained_length", r.trained_length},
          {"parameters", r.parameters}, {"seconds", r.seconds},       {"loss", r.loss},
          {"model_step", r.model_step}, {"provenance", r.provenance}, {"best_step", r.best_step}};
  give(json, "best_validation", r.best_validation);
}

void from_json(const Json& json, TrainRecord& r) {
  json.at("steps").get_to(r.steps);
  json.at("tokens").get_to(r.tokens);
  json.at("trained_length").get_to(r.trained_length);
  json.at("parameters").get_to(r.parameters);
  json.at("seconds").get_to(r.seconds);
  json.at("loss").get_to(r.loss);
  json.at("provenance").get_to(r.provenance);
  r.model_step = json.value("model_step", r.steps);
  r.best_step = json.value("best_step", int64_t{0});
  take(json, "best_validation", r.best_validation);
}

namespace {

void check(const TrainRecord& r, const std::string& where) {
  require_counts(where, {{"steps", r.steps},
                         {"tokens", r.tokens},
                         {"trained_length", r.trained_length},
                         {"parameters", r.parameters},
                         {"model_step", r.model_step},
                         {"best_step", r.best_step}});
}

void check(const EvalRecord& r, const std::string& where) {
  for (const auto& l : r.lengths) {
    require_counts(where, {{"length", l.length}, {"correct", l.correct}, {"total", l.total}});
    if (l.decoded) require_counts(where, {{"samples", l.decoded->samples}});
  }
  for (const auto& answer : r.answers) require_counts(where, {{"length", answer.length}});
  for (const auto& l : r.losses) {
    require_counts(where, {{"input", l.input}, {"begin", l.begin}, {"end", l.end}, {"targets", l.targets}});
  }
}

template <class Record>
Record read_record(const fs::path& path) {
  const std::string text = read_file(path);
  try {
    auto record = Json::parse(text).get<Record>();
    check(record, path.string());
    return record;
  } catch (const nlohmann::json::exception& error) {
    throw Error(rfs::format("{}: must be a record written by rfs, got {}", path.string(), said_by_json(error.what())));
  }
}

/// Text that is not UTF-8 (a path on a command line may be anything) is kept with replacement characters.
std::string dumped(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

bool there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

std::string processor() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown processor";
}

/// "2026-11-16T14:43:05Z"
std::string utc_date(std::time_t time) {
  std::tm parts{};
  gmtime_r(&time, &parts);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

}  // namespace

Provenance provenance(const std::string& command, const Provenance& more) {
  Provenance all = more;
  all["version"] = version;
  all["commit"] = commit();
  all["compiler"] = compiler;
  all["machine"] = rfs::format("{}, {} cores", processor(), std::thread::hardware_concurrency());
  all["date"] = utc_date(std::time(nullptr));
  all["command"] = command;
  return all;
}

std::optional<double> EvalRecord::mean(bool trained) const {
  double sum = 0;
  int count = 0;
  for (const auto& bin : lengths) {
    if (bin.trained != trained || bin.total == 0) continue;
    sum += static_cast<double>(bin.correct) / static_cast<double>(bin.total);
    ++count;
  }
  return count == 0 ? std::nullopt : std::optional(sum / count);
}

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
        rfs::format("name of an evaluation: must be of letters, digits, '_' and '-', got '{}'", shortened(name)));
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
  write_file(file("train.json"), dumped(record, 2) + "\n");
}
void Run::write(const EvalRecord& record, const std::string& name) const {
  write_file(eval_file(name), dumped(record, 2) + "\n");
}
void Run::add(const Metric& metric) const {
  append_line(file("metrics.jsonl"), dumped(metric, -1));
}
TrainRecord Run::train_record() const {
  return read_record<TrainRecord>(file("train.json"));
}
EvalRecord Run::eval_record(const std::string& name) const {
  return read_record<EvalRecord>(eval_file(name));
}

std::vector<Metric> Run::metrics() const {
  std::vector<Metric> metrics;
  if (!there(file("metrics.jsonl"))) return metrics;
  const std::string text = read_file(file("metrics.jsonl"));
  for (const std::string_view line : split_lines(text)) {
    try {
      metrics.push_back(Json::parse(line).get<Metric>());
    } catch (const nlohmann::json::exception&) {
      // A line that was cut off when the run was killed says nothing.
    }
  }
  return metrics;
}

void Run::keep_metrics(int64_t steps) const {
  std::string kept;
  for (const auto& metric : metrics()) {
    if (metric.step <= steps) kept += dumped(metric, -1) + "\n";
  }
  write_file(file("metrics.jsonl"), kept);
}

void require_counts(const std::string& where, std::initializer_list<std::pair<const char*, int64_t>> counts) {
  constexpr int64_t most = int64_t{1} << 53;
  for (const auto& [key, value] : counts) {
    if (value >= 0 && value <= most) continue;
    throw Error(rfs::format("{}: '{}' must be an integer from 0 to {}, got {}", where, key, most, value));
  }
}

std::vector<Run> find_runs(const fs::path& folder) {
  std::error_code code;
  if (!fs::is_directory(folder, code)) {
    throw Error(rfs::format("{}: must be a run folder, got no such folder", folder.string()));
  }
  std::vector<Run> runs;
  if (Run run(folder); run.exists()) runs.push_back(run);
  for (const auto& entry : fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied)) {
    if (entry.is_directory(code) && Run(entry.path()).exists()) runs.emplace_back(entry.path());
  }
  if (runs.empty()) {
    throw Error(rfs::format("{}: must be or hold a run (a folder with settings.toml), got none", folder.string()));
  }
  std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.folder() < b.folder(); });
  return runs;
}

}  // namespace rfs
