#include "rfs/tasks/samples_file.h"

#include <algorithm>
#include <new>
#include <nlohmann/json.hpp>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/core/split.h"

namespace rfs {
namespace {

using Json = nlohmann::ordered_json;

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// A value of a line, as messages quote it.
std::string quoted_value(const Json& value) {
  return shortened(dumped(value));
}

constexpr std::string_view white_space = " \t\n\v\f\r";

bool is_blank(std::string_view text) {
  return text.find_first_not_of(white_space) == std::string_view::npos;
}

FileSample read_sample(std::string_view line, const std::string& where) {
  constexpr int64_t longest = int64_t{1} << 40;
  const auto json = Json::parse(line, nullptr, false);
  if (!json.is_object()) {
    throw Error(where +
                R"(: not of the form {"prompt": text, "answer": text}, with a positive integer "length" or without)");
  }
  const auto find = [&](const std::string& key) -> const Json& {
    const auto it = json.find(key);
    if (it == json.end()) throw Error(rfs::format("{}: this line has no '{}'", where, key));
    return *it;
  };
  const auto text = [&](const std::string& key) {
    const Json& value = find(key);
    if (!value.is_string()) throw Error(rfs::format("{}: {} must be a text, got {}", where, key, quoted_value(value)));
    return value.get<std::string>();
  };
  const auto filled_text = [&](const std::string& key) {
    std::string value = text(key);
    if (is_blank(value)) throw Error(rfs::format("{}: {} must contain text, got {}", where, key, quoted_value(value)));
    return value;
  };
  FileSample entry{{filled_text("prompt"), filled_text("answer")}, "", false};
  entry.counted = !json.contains("length");
  if (entry.counted) {
    entry.sample.length = static_cast<int64_t>(split_words(entry.sample.prompt).size());
  } else {
    const Json& length = find("length");
    if (length.is_number_integer()) entry.sample.length = length.get<int64_t>();
    if (entry.sample.length < 1 || entry.sample.length > longest) {
      throw Error(
          rfs::format("{}: length must be an integer from 1 to {}, got {}", where, longest, quoted_value(length)));
    }
  }
  if (const auto depth = json.find("depth"); depth != json.end()) {
    entry.sample.depth = depth->is_number_integer() ? depth->get<int64_t>() : -1;
    if (entry.sample.depth < 0 || entry.sample.depth > 100) {
      throw Error(rfs::format("{}: depth must be an integer from 0 to 100, got {}", where, quoted_value(*depth)));
    }
  }
  if (json.contains("split")) entry.split = text("split");
  if (!entry.split.empty() && entry.split != "train" && entry.split != "validation" && entry.split != "test") {
    throw Error(rfs::format("{}: split must be train, validation or test, got {}", where, quoted_value(entry.split)));
  }
  return entry;
}

}  // namespace

const char* split_name(Split split) {
  constexpr const char* names[] = {"train", "validation", "test"};
  return names[static_cast<int>(split)];
}

std::vector<FileSample> read_samples(const std::filesystem::path& path) try {
  const std::string text = read_file(path);
  std::vector<FileSample> samples;
  int64_t number = 0;
  for (const std::string_view line : split_lines(text)) {
    ++number;
    if (is_blank(line)) continue;
    samples.push_back(read_sample(line, rfs::format("{}:{}", path.string(), number)));
  }
  if (samples.empty()) throw Error(rfs::format("{}: no samples found in this file", path.string()));
  return samples;
} catch (const std::bad_alloc&) {
  throw too_little_memory(path);
}

bool separate(Sample& sample) {
  const bool separated = white_space.find(sample.prompt.back()) != std::string_view::npos ||
                         white_space.find(sample.answer.front()) != std::string_view::npos;
  if (!separated) sample.answer.insert(0, " ");
  return !separated;
}

void write_samples(const std::filesystem::path& path, const std::vector<Sample>& samples) {
  write_file(path, [&](std::ostream& out) {
    for (const auto& sample : samples) {
      Json line = {{"prompt", sample.prompt}, {"answer", sample.answer}, {"length", sample.length}};
      if (sample.depth >= 0) line["depth"] = sample.depth;
      out << dumped(line) << '\n';
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
  throw Error(rfs::format("{}: not written by rfs data make or rfs data import, or damaged; make the data again",
                          path.string()));
}

void write_vocabulary(const std::filesystem::path& folder, const Vocabulary& vocabulary) {
  write_file(folder / "data.json", dumped({{"fixed", vocabulary.fixed}, {"names", vocabulary.names}}) + "\n");
}

}  // namespace rfs
