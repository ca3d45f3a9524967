#include "rfs/records/eval_record.h"

#include <nlohmann/json.hpp>

#include "rfs/core/files.h"
#include "rfs/records/record_file.h"

namespace rfs {
using Json = nlohmann::json;

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(EvalRecord::Decoded, samples, token_accuracy, edit_distance, first_mistakes,
                                   mistakes)

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(EvalRecord::Depth, depth, correct, total)

void to_json(Json& json, const EvalRecord::Length& l) {
  json = {{"length", l.length}, {"correct", l.correct}, {"total", l.total}, {"trained", l.trained}};
  if (l.decoded) json["decoded"] = *l.decoded;
  if (!l.depths.empty()) json["depths"] = l.depths;
}

void from_json(const Json& json, EvalRecord::Length& l) {
  json.at("length").get_to(l.length);
  json.at("correct").get_to(l.correct);
  json.at("total").get_to(l.total);
  json.at("trained").get_to(l.trained);
  if (json.contains("depths")) json.at("depths").get_to(l.depths);
  if (!json.contains("decoded")) return;
  EvalRecord::Decoded decoded;  // clang 16 cannot compile get<> for a nested type with initialisers
  json.at("decoded").get_to(decoded);
  l.decoded = decoded;
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(EvalRecord::Answer, length, prompt, expected, given, right)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(EvalRecord::Strip, label, positions)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(EvalRecord::Loss, input, begin, end, targets, loss)

void to_json(Json& json, const EvalRecord& r) {
  json = {{"settings", r.settings}, {"seconds", r.seconds}, {"lengths", r.lengths},
          {"answers", r.answers},   {"strips", r.strips},   {"provenance", r.provenance}};
  if (!r.losses.empty()) json["losses"] = r.losses;
  if (!r.last_losses.empty()) json["last_losses"] = r.last_losses;
}

void from_json(const Json& json, EvalRecord& r) {
  json.at("settings").get_to(r.settings);
  json.at("seconds").get_to(r.seconds);
  json.at("lengths").get_to(r.lengths);
  json.at("answers").get_to(r.answers);
  json.at("strips").get_to(r.strips);
  json.at("provenance").get_to(r.provenance);
  if (json.contains("losses")) json.at("losses").get_to(r.losses);
  if (json.contains("last_losses")) json.at("last_losses").get_to(r.last_losses);
}

namespace {

void check(const EvalRecord& r, const std::string& where) {
  for (const auto& l : r.lengths) {
    require_counts(where, {{"length", l.length}, {"correct", l.correct}, {"total", l.total}});
    if (l.decoded) require_counts(where, {{"samples", l.decoded->samples}});
    for (const auto& d : l.depths) {
      require_counts(where, {{"depth", d.depth}, {"correct", d.correct}, {"total", d.total}});
    }
  }
  for (const auto& answer : r.answers) require_counts(where, {{"length", answer.length}});
  for (const auto* losses : {&r.losses, &r.last_losses}) {
    for (const auto& l : *losses) {
      require_counts(where, {{"input", l.input}, {"begin", l.begin}, {"end", l.end}, {"targets", l.targets}});
    }
  }
}

}  // namespace

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

void write_eval_record(const std::filesystem::path& file, const EvalRecord& record) {
  // A path on a command line may not be UTF-8; invalid bytes become replacement characters.
  write_file(file, Json(record).dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

EvalRecord read_eval_record(const std::filesystem::path& file) {
  EvalRecord record;
  read_record(file, [&](const std::string& text) { record = Json::parse(text).get<EvalRecord>(); });
  check(record, file.string());
  return record;
}

}  // namespace rfs
