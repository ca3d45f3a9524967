#include "rfs/records/record_file.h"

#include <nlohmann/json.hpp>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"

namespace rfs {

void read_record(const std::filesystem::path& file, const std::function<void(const std::string& text)>& parse) {
  const std::string text = read_file(file);
  try {
    parse(text);
  } catch (const nlohmann::json::exception& error) {
    throw Error(rfs::format("{}: not a record written by rfs: {}", file.string(), said_by_json(error.what())));
  }
}

void require_counts(const std::string& where, std::initializer_list<std::pair<const char*, int64_t>> counts) {
  constexpr int64_t most = int64_t{1} << 53;
  for (const auto& [key, value] : counts) {
    if (value >= 0 && value <= most) continue;
    throw Error(rfs::format("{}: '{}' must be an integer from 0 to {}, got {}", where, key, most, value));
  }
}

}  // namespace rfs
