#include "rfs/tasks/samples_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "rfs/core/error.h"
#include "rfs/core/files.h"

namespace rfs {
namespace {

using Json = nlohmann::ordered_json;

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

const char* split_name(Split split) {
  constexpr const char* names[] = {"train", "validation", "test"};
  return names[static_cast<int>(split)];
}

std::vector<FileSample> read_samples(const std::filesystem::path& path) {
  std::istringstream lines(read_file(path));
  std::vector<FileSample> samples;
  int64_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const auto fail = [&](const std::string& got) {
      return Error(
          fmt::format("{}:{}: must be {{\"prompt\": text, \"answer\": text, \"length\": positive integer}}, got {}",
                      path.string(), number, got));
    };
    const auto json = Json::parse(line, nullptr, false);
    if (!json.is_object()) throw fail("another line");
    FileSample entry;
    try {
      entry.sample = {json.at("prompt").get<std::string>(), json.at("answer").get<std::string>(), 0};
      if (!json.at("length").is_number_integer()) throw fail("a length that is no integer");
      entry.sample.length = json.at("length").get<int64_t>();
      if (json.contains("split")) entry.split = json.at("split").get<std::string>();
    } catch (const nlohmann::json::exception&) {
      throw fail("a line without one of them");
    }
    if (entry.sample.prompt.empty() || entry.sample.answer.empty() || entry.sample.length < 1)
      throw fail("an empty one");
    if (!entry.split.empty() && entry.split != "train" && entry.split != "validation" && entry.split != "test") {
      throw fail("a split other than train, validation or test");
    }
    samples.push_back(std::move(entry));
  }
  if (samples.empty()) throw Error(fmt::format("{}: must hold at least one sample, got none", path.string()));
  return samples;
}

void write_samples(const std::filesystem::path& path, const std::vector<Sample>& samples) {
  write_file(path, [&](std::ostream& out) {
    for (const auto& sample : samples) {
      out << dumped({{"prompt", sample.prompt}, {"answer", sample.answer}, {"length", sample.length}}) << '\n';
    }
  });
}

Vocabulary read_vocabulary(const std::filesystem::path& folder) {
  const auto path = folder / "data.json";
  const auto json = Json::parse(read_file(path), nullptr, false);
  try {
    const Vocabulary vocabulary{json.at("fixed").get<std::vector<std::string>>(), json.at("names").get<int64_t>()};
    if (vocabulary.names >= 0 && vocabulary.names <= 1'000'000) return vocabulary;
  } catch (const nlohmann::json::exception&) {
  }
  throw Error(fmt::format("{}: must be written by rfs data make or import, got another file", path.string()));
}

void write_vocabulary(const std::filesystem::path& folder, const Vocabulary& vocabulary) {
  write_file(folder / "data.json", dumped({{"fixed", vocabulary.fixed}, {"names", vocabulary.names}}) + "\n");
}

}  // namespace rfs
