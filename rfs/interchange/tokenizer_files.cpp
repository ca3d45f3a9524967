#include "rfs/interchange/tokenizer_files.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "rfs/core/data_files.h"
#include "rfs/core/files.h"
#include "rfs/core/split.h"

namespace rfs {
namespace fs = std::filesystem;
namespace {

std::string option(const Choice<Tokenizer>& tokenizer, const std::string& name) {
  for (const auto& entry : tokenizer.options->entries()) {
    if (entry.name == name) return std::get<std::string>(tokenizer.options->value(entry).data);
  }
  throw std::logic_error("no option " + name);
}

Bpe bpe_of(const Choice<Tokenizer>& tokenizer) {
  const auto content = [&](const std::string& name, const std::string& file) {
    return read_file(
        find_data_file({file, "published with OpenAI's gpt-2", "tokenizer." + name}, option(tokenizer, name)));
  };
  Bpe bpe{content("encoder", "gpt2/encoder.json"), content("merges", "gpt2/vocab.bpe"), {}, {}};
  const auto ids = nlohmann::json::parse(bpe.encoder);
  bpe.tokens.resize(ids.size());
  for (const auto& [token, id] : ids.items()) bpe.tokens.at(id.get<size_t>()) = token;
  for (std::string_view line : split_lines(bpe.merges)) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    const bool is_version = bpe.merge_lines.empty() && line.starts_with("#version");
    if (!line.empty() && !is_version) bpe.merge_lines.emplace_back(line);
  }
  return bpe;
}

}  // namespace

TokenizerFiles tokenizer_files(const Choice<Tokenizer>& tokenizer) {
  TokenizerFiles files;
  if (tokenizer.use != "gpt2" && tokenizer.use != "hf") return files;
  tokenizer.make();  // validates the files
  if (tokenizer.use == "gpt2") {
    files.bpe = bpe_of(tokenizer);
    return files;
  }
  files.tokenizer_json = option(tokenizer, "file");
  const fs::path path = files.tokenizer_json;
  files.copied["tokenizer.json"] = read_file(path);
  for (const char* name : {"tokenizer_config.json", "special_tokens_map.json"}) {
    std::error_code ignored;
    if (fs::exists(path.parent_path() / name, ignored)) files.copied[name] = read_file(path.parent_path() / name);
  }
  return files;
}

std::map<std::string, std::string> TokenizerFiles::hf(int64_t tokens) const {
  using Json = nlohmann::ordered_json;
  std::map<std::string, std::string> files = copied;
  if (bpe) {
    const Json end = "<|endoftext|>";
    const Json config = {{"tokenizer_class", "GPT2Tokenizer"},
                         {"add_prefix_space", false},
                         {"bos_token", end},
                         {"eos_token", end},
                         {"unk_token", end},
                         {"clean_up_tokenization_spaces", false},
                         {"model_max_length", tokens}};
    files["vocab.json"] = bpe->encoder;
    files["merges.txt"] = bpe->merges;
    files["tokenizer_config.json"] = config.dump(2) + "\n";
  } else if (const auto config = files.find("tokenizer_config.json"); config != files.end()) {
    auto json = Json::parse(config->second, nullptr, false);
    if (json.is_object()) {
      json["model_max_length"] = tokens;
      config->second = json.dump(2) + "\n";
    }
  }
  return files;
}

}  // namespace rfs
