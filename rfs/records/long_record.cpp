#include "rfs/records/long_record.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

#include "rfs/core/files.h"
#include "rfs/records/record_file.h"

namespace rfs {
namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

static void to_json(Json& json, const LongRecord::Answer& answer) {
  json = {
      {"tokens", answer.tokens}, {"references", answer.references}, {"given", answer.given}, {"score", answer.score}};
}

static void from_json(const Json& json, LongRecord::Answer& answer) {
  json.at("tokens").get_to(answer.tokens);
  json.at("references").get_to(answer.references);
  json.at("given").get_to(answer.given);
  json.at("score").get_to(answer.score);
}

static void to_json(Json& json, const LongRecord::Cell& cell) {
  json = {{"length", cell.length}};
  if (cell.depth >= 0) json["depth"] = cell.depth;
  json["score"] = cell.score;
  if (cell.log_likelihood) json["log_likelihood"] = *cell.log_likelihood;
  json["answers"] = cell.answers;
}

static void from_json(const Json& json, LongRecord::Cell& cell) {
  json.at("length").get_to(cell.length);
  cell.depth = json.value("depth", int64_t{-1});
  json.at("score").get_to(cell.score);
  if (json.contains("log_likelihood")) cell.log_likelihood = json.at("log_likelihood").get<double>();
  json.at("answers").get_to(cell.answers);
}

namespace {

fs::path file_of(const Run& run, const std::string& task) {
  return run.file("long-" + task + ".json");
}

/// Cells are ordered by this key.
std::pair<int64_t, int64_t> length_and_depth(const LongRecord::Cell& cell) {
  return {cell.length, cell.depth};
}

}  // namespace

const LongRecord::Cell* LongRecord::find(int64_t length, int64_t depth) const {
  const auto found = std::find_if(cells.begin(), cells.end(),
                                  [&](const Cell& cell) { return cell.length == length && cell.depth == depth; });
  return found == cells.end() ? nullptr : &*found;
}

void LongRecord::add(Cell cell) {
  const auto at = std::lower_bound(cells.begin(), cells.end(), cell, [](const Cell& a, const Cell& b) {
    return length_and_depth(a) < length_and_depth(b);
  });
  if (at != cells.end() && length_and_depth(*at) == length_and_depth(cell)) {
    *at = std::move(cell);
  } else {
    cells.insert(at, std::move(cell));
  }
}

void write_long_record(const Run& run, const LongRecord& record) {
  const Json json = {{"task", record.task},       {"samples", record.samples},
                     {"seed", record.seed},       {"trained_length", record.trained_length},
                     {"cells", record.cells},     {"settings", record.settings},
                     {"seconds", record.seconds}, {"provenance", record.provenance}};
  // An answer may end within a character; its bytes become replacement characters.
  write_file(file_of(run, record.task), json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

std::vector<std::string> long_tasks(const Run& run) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(run.folder())) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("long-") && name.ends_with(".json")) names.push_back(name.substr(5, name.size() - 10));
  }
  std::sort(names.begin(), names.end());
  return names;
}

LongRecord read_long_record(const Run& run, const std::string& task) {
  const auto path = file_of(run, task);
  LongRecord record;
  read_record(path, [&](const std::string& text) {
    const Json json = Json::parse(text);
    json.at("task").get_to(record.task);
    json.at("samples").get_to(record.samples);
    json.at("seed").get_to(record.seed);
    json.at("trained_length").get_to(record.trained_length);
    json.at("cells").get_to(record.cells);
    json.at("settings").get_to(record.settings);
    json.at("seconds").get_to(record.seconds);
    json.at("provenance").get_to(record.provenance);
    require_counts(path.string(), {{"samples", record.samples}, {"trained_length", record.trained_length}});
    for (const auto& cell : record.cells) require_counts(path.string(), {{"length", cell.length}});
  });
  return record;
}

}  // namespace rfs
