#include "rfs/records/train_record.h"

#include <nlohmann/json.hpp>

#include "rfs/core/files.h"
#include "rfs/records/record_file.h"

namespace rfs {
using Json = nlohmann::json;

namespace {

void give(Json& json, const char* key, const std::optional<double>& value) {
  if (value) json[key] = *value;
}
void take(const Json& json, const char* key, std::optional<double>& value) {
  if (json.contains(key)) value = json.at(key).get<double>();
}

/// A path on a command line may not be UTF-8; invalid bytes become replacement characters.
std::string dumped(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

static void to_json(Json& json, const Metric& m) {
  json = {{"step", m.step},
          {"loss", m.loss},
          {"learning_rate", m.learning_rate},
          {"gradient_norm", m.gradient_norm},
          {"tokens_per_second", m.tokens_per_second}};
  give(json, "validation", m.validation);
}

static void from_json(const Json& json, Metric& m) {
  json.at("step").get_to(m.step);
  json.at("loss").get_to(m.loss);
  json.at("learning_rate").get_to(m.learning_rate);
  json.at("gradient_norm").get_to(m.gradient_norm);
  json.at("tokens_per_second").get_to(m.tokens_per_second);
  take(json, "validation", m.validation);
}

static void to_json(Json& json, const TrainRecord& r) {
  json = {{"steps", r.steps},           {"tokens", r.tokens},         {"trained_length", r.trained_length},
          {"parameters", r.parameters}, {"seconds", r.seconds},       {"loss", r.loss},
          {"model_step", r.model_step}, {"provenance", r.provenance}, {"best_step", r.best_step}};
  give(json, "best_validation", r.best_validation);
}

static void from_json(const Json& json, TrainRecord& r) {
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

void write_train_record(const std::filesystem::path& file, const TrainRecord& record) {
  write_file(file, dumped(record, 2) + "\n");
}

TrainRecord read_train_record(const std::filesystem::path& file) {
  TrainRecord r;
  read_record(file, [&](const std::string& text) { r = Json::parse(text).get<TrainRecord>(); });
  require_counts(file.string(), {{"steps", r.steps},
                                 {"tokens", r.tokens},
                                 {"trained_length", r.trained_length},
                                 {"parameters", r.parameters},
                                 {"model_step", r.model_step},
                                 {"best_step", r.best_step}});
  return r;
}

std::string metric_line(const Metric& metric) {
  return dumped(metric, -1);
}

std::optional<Metric> read_metric(std::string_view line) {
  try {
    return Json::parse(line).get<Metric>();
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;  // an incomplete line of a killed run
  }
}

}  // namespace rfs
