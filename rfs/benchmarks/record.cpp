#include "rfs/benchmarks/record.h"

#include <algorithm>
#include <new>
#include <nlohmann/json.hpp>

#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/core/split.h"
#include "rfs/core/value.h"
#include "rfs/text/unicode.h"

namespace rfs {
namespace fs = std::filesystem;
using Json = nlohmann::json;
namespace {

const Json& value(const std::shared_ptr<const void>& json) {
  return *static_cast<const Json*>(json.get());
}

/// A field of type T; the JSON library checks the type of every element.
template <class T>
T field(const Record& record, const Json& json, const std::string& key, const char* type) {
  const auto it = json.find(key);
  if (it == json.end()) throw record.fail(key, rfs::format("be {}", type), "nothing");
  try {
    return it->get<T>();
  } catch (const nlohmann::json::exception&) {
    throw record.fail(key, rfs::format("be {}", type), "something else");
  }
}

Record parsed(std::string_view text, const std::string& where) {
  if (const auto broken = first_broken_byte(text)) {
    throw Error(rfs::format("{}: must be UTF-8, got byte 0x{:02x} at column {}", where,
                            static_cast<unsigned char>(text[*broken]), *broken + 1));
  }
  auto json = std::make_shared<const Json>(Json::parse(text, nullptr, false));
  if (!json->is_object()) throw Error(rfs::format("{}: not a JSON object", where));
  return {where, std::move(json)};
}

}  // namespace

Error Record::fail(const std::string& key, const std::string& rule, const std::string& got) const {
  std::string line = rfs::format("{}: {} must {}, got {}", where_, key, rule, got);
  for (char& c : line) c = c >= 0 && c < ' ' ? '?' : c;  // labels come from the file
  return Error(line);
}

bool Record::has(const std::string& key) const {
  return value(json_).contains(key);
}

bool Record::has_object(const std::string& key) const {
  const auto it = value(json_).find(key);
  return it != value(json_).end() && it->is_object();
}

std::string Record::text(const std::string& key) const {
  return field<std::string>(*this, value(json_), key, "a text");
}

std::vector<std::string> Record::texts(const std::string& key) const {
  return field<std::vector<std::string>>(*this, value(json_), key, "a list of texts");
}

std::vector<std::vector<std::string>> Record::lists_of_texts(const std::string& key) const {
  return field<std::vector<std::vector<std::string>>>(*this, value(json_), key, "a list of lists of texts");
}

Record Record::part(const std::string& key) const {
  const auto it = value(json_).find(key);
  if (it == value(json_).end() || !it->is_object()) throw fail(key, "be an object", "something else");
  return {where_, std::shared_ptr<const void>(json_, &*it)};
}

std::vector<Record> Record::parts(const std::string& key) const {
  const auto it = value(json_).find(key);
  const auto is_object = [](const Json& json) { return json.is_object(); };
  if (it == value(json_).end() || !it->is_array() || !std::all_of(it->begin(), it->end(), is_object)) {
    throw fail(key, "be a list of objects", has(key) ? "something else" : "nothing");
  }
  std::vector<Record> parts;
  for (const Json& json : *it) parts.emplace_back(where_, std::shared_ptr<const void>(json_, &json));
  return parts;
}

std::string Record::label(const std::string& key) const {
  const auto it = value(json_).find(key);
  if (it == value(json_).end()) throw fail(key, "be a label", "nothing");
  if (it->is_string()) return it->get<std::string>();
  if (!it->is_number_integer() && !it->is_boolean()) throw fail(key, "be a label", "something else");
  return it->dump();
}

size_t Record::index_of(const std::string& key, const std::vector<std::string>& labels) const {
  if (labels.empty()) throw fail("the list of choices", "have two or more", "none");
  const std::string given = label(key);
  const auto it = std::find(labels.begin(), labels.end(), given);
  if (it == labels.end()) throw fail(key, "be one of " + join(labels), quoted(shortened(given)));
  return static_cast<size_t>(it - labels.begin());
}

std::vector<Record> read_records(const fs::path& path) try {
  std::vector<Record> records;
  if (fs::is_directory(path)) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(path)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    for (const auto& file : files) records.push_back(parsed(read_file(file), file.string()));
  } else {
    const std::string text = read_file(path);
    int64_t number = 0;
    for (const std::string_view line : split_lines(text)) {
      ++number;
      if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
      records.push_back(parsed(line, rfs::format("{}:{}", path.string(), number)));
    }
  }
  if (records.empty()) throw Error(rfs::format("{}: no documents found", path.string()));
  return records;
} catch (const std::bad_alloc&) {
  throw too_little_memory(path);
}

}  // namespace rfs
