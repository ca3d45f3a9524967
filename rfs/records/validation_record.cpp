#include "rfs/records/validation_record.h"

#include <nlohmann/json.hpp>

#include "rfs/core/files.h"
#include "rfs/core/split.h"

namespace rfs {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::json;

std::string line_of(const ValidationRecord& record) {
  Json lengths = Json::array();
  for (const auto& l : record.lengths) {
    lengths.push_back({l.length, l.correct, l.total});
    if (!l.trained) lengths.back().push_back(false);
  }
  return Json{{"step", record.step}, {"lengths", lengths}}.dump();
}

}  // namespace

void add_validation(const fs::path& run_folder, const ValidationRecord& record) {
  append_line(run_folder / validation_file, line_of(record));
}

std::vector<ValidationRecord> read_validation(const fs::path& run_folder) {
  std::vector<ValidationRecord> records;
  std::error_code ignored;
  if (!fs::exists(run_folder / validation_file, ignored)) return records;
  const std::string text = read_file(run_folder / validation_file);
  for (const std::string_view line : split_lines(text)) {
    try {
      const Json json = Json::parse(line);
      ValidationRecord record{json.at("step").get<int64_t>(), {}};
      for (const auto& l : json.at("lengths")) {
        record.lengths.push_back({l.at(0).get<int64_t>(), l.at(1).get<int64_t>(), l.at(2).get<int64_t>(),
                                  l.size() < 4 || l.at(3).get<bool>()});
      }
      records.push_back(std::move(record));
    } catch (const Json::exception&) {  // a line that is still being written, or that a killed process left
    }
  }
  return records;
}

void keep_validation(const fs::path& run_folder, int64_t steps) {
  std::error_code ignored;
  if (!fs::exists(run_folder / validation_file, ignored)) return;
  std::string kept;
  for (const auto& record : read_validation(run_folder)) {
    if (record.step <= steps) kept += line_of(record) + "\n";
  }
  write_file(run_folder / validation_file, kept);
}

}  // namespace rfs
