#include "rfs/corpus/manifest.h"

#include <nlohmann/json.hpp>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/core/sha256.h"

namespace rfs {
namespace fs = std::filesystem;
using Json = nlohmann::json;

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CorpusTokenizer, settings, hash, vocabulary, end)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CorpusPlan::Source, file, bytes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CorpusPlan, tokenizer, sources, documents, separator, field, validation, seed,
                                   shard_tokens)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Manifest::Shard, file, tokens, documents, sha256)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Manifest, plan, train, validation, bytes, empty, broken, reasons, hash, provenance)

static std::string dumped(const Json& json) {
  return json.dump(1, ' ', false, Json::error_handler_t::replace);
}

CorpusTokenizer CorpusTokenizer::of(const Tokenizer& tokenizer, const std::string& settings) {
  return {settings, hash_of(tokenizer, tokenizer.size()), tokenizer.size(), tokenizer.end()};
}

std::string CorpusTokenizer::hash_of(const Tokenizer& tokenizer, int64_t count) {
  Sha256 hash;
  for (int32_t id = 0; id < count; ++id) {
    const std::string text = tokenizer.decode(std::span(&id, 1));
    hash.add(rfs::format("{} ", text.size())).add(text);
  }
  return hash.hex();
}

bool CorpusPlan::operator==(const CorpusPlan& other) const {
  return dumped(*this) == dumped(other);
}

std::string Manifest::text() const {
  Json json = *this;
  json["format"] = format;
  return dumped(json) + '\n';
}

Manifest Manifest::parse(const std::string& text, const fs::path& name) {
  const auto fail = [&](const std::string& got) {
    return Error(rfs::format("{}: not a corpus manifest of the format '{}': {}", name.string(), format, got));
  };
  const auto json = Json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("format") || !json["format"].is_string()) throw fail("unknown format");
  if (json["format"] != format) throw fail("its format is '" + shortened(json["format"].get<std::string>()) + "'");
  try {
    auto manifest = json.get<Manifest>();
    const bool counts = manifest.bytes >= 0 && manifest.empty >= 0 && manifest.broken >= 0;
    if (counts && manifest.reasons.empty() == (manifest.broken == 0)) return manifest;
  } catch (const Json::exception&) {
  }
  throw fail("it is damaged");
}

Manifest Manifest::read(const fs::path& folder) {
  const fs::path path = folder / file_name;
  std::error_code ignored;
  if (!fs::exists(path, ignored)) {
    const bool begun = fs::exists(folder / progress_name, ignored);
    throw Error(rfs::format("{}: {}", folder.string(),
                            begun ? "this corpus is unfinished; run its rfs corpus make command again"
                            : fs::is_directory(folder, ignored)
                                ? "not a corpus: it has no manifest.json; make one with rfs corpus make"
                                : "no such folder; make a corpus with rfs corpus make"));
  }
  return parse(read_file(path), path);
}

void Manifest::write(const fs::path& folder) const {
  write_file(folder / file_name, text());
}

}  // namespace rfs
