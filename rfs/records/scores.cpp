#include "rfs/records/scores.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

#include "rfs/core/files.h"
#include "rfs/records/record_file.h"

namespace rfs {
namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

int64_t best(const std::vector<double>& values) {
  return std::max_element(values.begin(), values.end()) - values.begin();
}

struct Mean {
  double mean = 0;
  std::optional<double> error = {};
};

Mean mean_of(const std::vector<bool>& right) {
  const auto count = static_cast<double>(right.size());
  if (right.empty()) return {};
  const double mean = static_cast<double>(std::count(right.begin(), right.end(), true)) / count;
  if (right.size() == 1) return {mean, {}};
  double squares = 0;
  for (const bool one : right) squares += (one - mean) * (one - mean);
  return {mean, std::sqrt(squares / (count - 1)) / std::sqrt(count)};
}

ScorePart part_of(const std::vector<ScoredDocument>& documents, bool normalised,
                  const std::function<bool(const ScoredDocument&)>& wanted) {
  std::vector<bool> right, right_norm;
  for (const auto& document : documents) {
    if (!wanted(document)) continue;
    right.push_back(document.chosen() == document.gold);
    right_norm.push_back(document.chosen_norm() == document.gold);
  }
  const Mean acc = mean_of(right), norm = mean_of(right_norm);
  ScorePart part{static_cast<int64_t>(right.size()), acc.mean, acc.error, {}, {}};
  if (normalised) part.acc_norm = norm.mean, part.acc_norm_stderr = norm.error;
  return part;
}

std::string dumped(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

fs::path score_file(const Run& run, const std::string& benchmark, const char* ending) {
  return run.file("score-" + benchmark + ending);
}

}  // namespace

int64_t ScoredDocument::chosen() const {
  return best(log_likelihoods);
}

int64_t ScoredDocument::chosen_norm() const {
  std::vector<double> values = log_likelihoods;
  for (size_t i = 0; i < values.size(); ++i) values[i] /= static_cast<double>(code_points[i]);
  return best(values);
}

double median(std::vector<int64_t> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const size_t upper = values.size() / 2, lower = (values.size() - 1) / 2;
  return static_cast<double>(values[lower] + values[upper]) / 2;
}

void summarise(ScoreRecord& record, const std::vector<ScoredDocument>& documents, bool normalised) {
  const auto inside = [&](const ScoredDocument& d) { return static_cast<double>(d.size) <= record.context_size; };
  record.all = part_of(documents, normalised, [](const ScoredDocument&) { return true; });
  record.id = part_of(documents, normalised, inside);
  record.ood = part_of(documents, normalised, [&](const ScoredDocument& d) { return !inside(d); });
  record.truncated =
      std::count_if(documents.begin(), documents.end(), [](const ScoredDocument& d) { return d.truncated; });
}

static void to_json(Json& json, const ScorePart& part) {
  json = {{"documents", part.documents}, {"acc", part.acc}};
  const auto give = [&](const char* key, const std::optional<double>& value) {
    if (value) json[key] = *value;
  };
  give("acc_stderr", part.acc_stderr);
  give("acc_norm", part.acc_norm);
  give("acc_norm_stderr", part.acc_norm_stderr);
}

static void from_json(const Json& json, ScorePart& part) {
  json.at("documents").get_to(part.documents);
  json.at("acc").get_to(part.acc);
  const auto take = [&](const char* key) {
    return json.contains(key) ? std::optional(json.at(key).get<double>()) : std::nullopt;
  };
  part.acc_norm = take("acc_norm");
  if (part.documents < 2) return;  // older records store 0
  part.acc_stderr = take("acc_stderr");
  part.acc_norm_stderr = take("acc_norm_stderr");
}

void write_scores(const Run& run, const ScoreRecord& record, const std::vector<ScoredDocument>& documents) {
  write_file(score_file(run, record.benchmark, ".jsonl"), [&](std::ostream& out) {
    for (size_t i = 0; i < documents.size(); ++i) {
      const auto& d = documents[i];
      Json line = {{"document", i},
                   {"size", d.size},
                   {"in_distribution", static_cast<double>(d.size) <= record.context_size},
                   {"gold", d.gold},
                   {"chosen", d.chosen()},
                   {"chosen_norm", d.chosen_norm()},
                   {"log_likelihoods", d.log_likelihoods},
                   {"tokens", d.tokens},
                   {"code_points", d.code_points},
                   {"truncated", d.truncated}};
      out << dumped(line, -1) << '\n';
    }
  });
  const Json json = {{"benchmark", record.benchmark},
                     {"title", record.title},
                     {"context_size", record.context_size},
                     {"median", record.median},
                     {"trained_length", record.trained_length},
                     {"truncated", record.truncated},
                     {"all", record.all},
                     {"id", record.id},
                     {"ood", record.ood},
                     {"file", record.file},
                     {"sha256", record.sha256},
                     {"settings", record.settings},
                     {"seconds", record.seconds},
                     {"provenance", record.provenance}};
  write_file(score_file(run, record.benchmark, ".json"), dumped(json, 1) + "\n");
}

std::vector<std::string> scored_benchmarks(const Run& run) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(run.folder())) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("score-") && name.ends_with(".json")) names.push_back(name.substr(6, name.size() - 11));
  }
  std::sort(names.begin(), names.end());
  return names;
}

ScoreRecord read_scores(const Run& run, const std::string& benchmark) {
  const auto path = score_file(run, benchmark, ".json");
  ScoreRecord record;
  read_record(path, [&](const std::string& text) {
    const Json json = Json::parse(text);
    json.at("benchmark").get_to(record.benchmark);
    json.at("title").get_to(record.title);
    json.at("context_size").get_to(record.context_size);
    json.at("median").get_to(record.median);
    json.at("trained_length").get_to(record.trained_length);
    json.at("truncated").get_to(record.truncated);
    record.all = json.at("all").get<ScorePart>();
    record.id = json.at("id").get<ScorePart>();
    record.ood = json.at("ood").get<ScorePart>();
    json.at("file").get_to(record.file);
    record.sha256 = json.value("sha256", "");
    json.at("settings").get_to(record.settings);
    json.at("seconds").get_to(record.seconds);
    json.at("provenance").get_to(record.provenance);
    require_counts(path.string(), {{"trained_length", record.trained_length}, {"truncated", record.truncated}});
    for (const ScorePart* part : {&record.all, &record.id, &record.ood}) {
      require_counts(path.string(), {{"documents", part->documents}});
    }
  });
  return record;
}

}  // namespace rfs
