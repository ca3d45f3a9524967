#include "rfs/interchange/gguf_tokenizer.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>

#include "rfs/core/format.h"
#include "rfs/text/tokenizer_json.h"
#include "rfs/text/unicode.h"

namespace rfs {
namespace {

using Json = nlohmann::json;
using Split = TokenizerJson::Split;

const std::string mark = "\u2581";  // SentencePiece's space

// Numbers of tokenizer.ggml.token_type.
constexpr int32_t normal = 1, unknown_token = 2, control = 3, user_defined = 4, unused = 5, byte = 6;

/// One of llama.cpp's ways to split a text (tokenizer.ggml.pre).
struct Pre {
  std::string name;
  std::vector<std::string> splits;  ///< patterns, one after the other; "" is GPT-2's
  bool ignore_merges = false;
};

const std::vector<Pre>& pres() {
  const std::string words = R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|)",
                    rest = R"(| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
  static const std::vector<Pre> all = {{"gpt-2", {""}},
                                       {"smollm", {TokenizerJson::one_digit, ""}},
                                       {"qwen2", {words + R"(\p{N})" + rest}},
                                       {"llama-bpe", {words + R"(\p{N}{1,3})" + rest}, true}};
  return all;
}

/// tokenizer.ggml.pre of a byte-level BPE; empty if llama.cpp has no such split.
std::string pre_of(const TokenizerJson& json) {
  std::vector<std::string> splits;
  for (const auto& split : json.splits) splits.push_back(split.kind == Split::Kind::gpt2 ? "" : split.pattern);
  for (const Pre& pre : pres()) {
    if (pre.splits == splits && pre.ignore_merges == json.ignore_merges) return pre.name;
  }
  return "";
}

/// Whether the tokenizer puts the beginning-of-text token before a text, as tokenizer_config.json or the template of
/// tokenizer.json says.
bool adds_begin(const TokenizerFiles& files) {
  if (const auto config = files.copied.find("tokenizer_config.json"); config != files.copied.end()) {
    const auto json = Json::parse(config->second, nullptr, false);
    const auto adds = json.is_object() ? json.find("add_bos_token") : json.end();
    if (json.is_object() && adds != json.end() && adds->is_boolean()) return adds->get<bool>();
  }
  const auto json = Json::parse(files.copied.at("tokenizer.json"), nullptr, false);
  const auto found = json.find("post_processor");
  if (found == json.end() || !found->is_object()) return false;
  const auto parts = found->contains("processors") ? (*found)["processors"] : Json::array({*found});
  for (const Json& part : parts) {
    const auto single = part.is_object() ? part.find("single") : part.end();
    if (!part.is_object() || single == part.end() || !single->is_array() || single->empty()) continue;
    if (single->front().is_object() && single->front().contains("SpecialToken")) return true;
  }
  return false;
}

/// The tokens of a file by id, and what they are.
struct Tokens {
  std::vector<std::string> names;
  std::vector<int32_t> types;
};

Tokens tokens_of(const TokenizerJson& json, int64_t vocabulary) {
  Tokens tokens;
  for (int64_t id = 0; id < vocabulary; ++id) tokens.names.push_back(rfs::format("[PAD{}]", id));
  tokens.types.assign(static_cast<size_t>(vocabulary), unused);
  const auto set = [&](int32_t id, const std::string& name, int32_t type) {
    tokens.names.at(static_cast<size_t>(id)) = name;
    tokens.types.at(static_cast<size_t>(id)) = type;
  };
  const bool bytes = json.kind == TokenizerJson::Kind::sentence_piece;
  for (const auto& [token, id] : json.vocabulary) {
    const bool is_byte = bytes && token.size() == 6 && token.starts_with("<0x") && token.ends_with('>');
    set(id, token, is_byte ? byte : normal);
  }
  for (const auto& added : json.added) {
    const bool is_unknown = bytes && added.content == "<unk>";
    set(added.id, added.content, is_unknown ? unknown_token : added.special ? control : user_defined);
  }
  return tokens;
}

/// Where the characters of a token begin, besides the first.
std::vector<size_t> borders(std::string_view token) {
  std::vector<size_t> borders;
  for (size_t at = 0; at < token.size();) {
    const size_t begin = at;
    if (!next_code_point(token, at)) at = begin + 1;
    if (at < token.size()) borders.push_back(at);
  }
  return borders;
}

/// llama.cpp merges any two neighbours that are a token together, the token with the highest score first. So all pairs
/// that make a token must be merges, one after the other. Returns no scores otherwise.
std::vector<float> scores_of(const TokenizerJson& json, const Tokens& tokens) {
  std::unordered_map<std::string, int32_t> ids;
  for (const auto& [token, id] : json.vocabulary) {
    if (tokens.types[static_cast<size_t>(id)] == normal) ids.emplace(token, id);
  }
  std::vector<float> scores(tokens.names.size());
  std::set<std::pair<std::string, std::string>> merges;
  std::set<std::string> made;
  std::string last;
  for (const auto& [left, right] : json.merges) {
    const std::string both = left + right;
    const auto id = ids.find(both);
    if (id == ids.end()) continue;  // an added token, which is found before any merge
    if (both != last && !made.insert(last = both).second) return {};
    scores[static_cast<size_t>(id->second)] = -static_cast<float>(made.size());
    merges.emplace(left, right);
  }
  for (const auto& [token, id] : ids) {
    for (const size_t border : borders(token)) {
      const std::string left = token.substr(0, border), right = token.substr(border);
      if (ids.contains(left) && ids.contains(right) && !merges.contains({left, right})) return {};
    }
  }
  return scores;
}

/// True if the normalizer only turns spaces into U+2581, after one more before the text if `prepends`.
bool only_marks_spaces(const TokenizerJson& json, bool& prepends) {
  using Kind = TokenizerJson::NormalizerStep::Kind;
  prepends = json.prepend != TokenizerJson::Prepend::never;
  bool replaces = json.metaspace;
  for (const auto& step : json.normalizer) {
    if (step.kind == Kind::prepend && step.text == mark && !json.metaspace && !replaces) {
      prepends = true;
    } else if (step.kind == Kind::replace && step.text == " " && step.by == mark && !replaces) {
      replaces = true;
    } else {
      return false;
    }
  }
  return replaces && !json.splits_words;
}

/// Builds the metadata of one tokenizer.
class Builder {
 public:
  explicit Builder(const CheckpointConfig& config) : config_(config) {}

  void add(const std::string& key, GgufFile::Value value) {
    made_.metadata.emplace_back("tokenizer.ggml." + key, std::move(value));
  }
  void add_ids() {
    const auto add_id = [&](const char* key, int64_t id) {
      if (id >= 0) add(key, static_cast<uint32_t>(id));
    };
    add_id("bos_token_id", config_.ids.begin);
    add_id("eos_token_id", config_.ids.end());
    add_id("padding_token_id", config_.ids.pad);
  }
  GgufTokenizer none(const std::string& refusal) const { return {{{"tokenizer.ggml.model", "none"}}, refusal}; }
  GgufTokenizer done() { return std::move(made_); }

 private:
  const CheckpointConfig& config_;
  GgufTokenizer made_;
};

GgufTokenizer of_gpt2(const Bpe& bpe, Builder build, int64_t end) {
  std::vector<int32_t> types(bpe.tokens.size(), normal);
  types.at(static_cast<size_t>(end)) = control;
  build.add("model", std::string("gpt2"));
  build.add("pre", std::string("gpt-2"));
  build.add("tokens", bpe.tokens);
  build.add("token_type", types);
  build.add("merges", bpe.merge_lines);
  build.add_ids();
  build.add("add_bos_token", false);
  return build.done();
}

GgufTokenizer of_byte_level(const TokenizerFiles& files, const TokenizerJson& json, Builder build, Tokens tokens) {
  const std::string pre = pre_of(json);
  if (pre.empty()) return build.none("llama.cpp has none that splits texts like this tokenizer.json");
  const bool only_nfc = std::all_of(json.normalizer.begin(), json.normalizer.end(), [](const auto& step) {
    return step.kind == TokenizerJson::NormalizerStep::Kind::nfc;
  });
  if (!only_nfc) return build.none("llama.cpp has none with the normalizer of this tokenizer.json");
  std::vector<std::string> merges;
  for (const auto& [left, right] : json.merges) merges.push_back(left + " " + right);
  build.add("model", std::string("gpt2"));
  build.add("pre", pre);
  build.add("tokens", std::move(tokens.names));
  build.add("token_type", std::move(tokens.types));
  build.add("merges", std::move(merges));
  build.add_ids();
  build.add("add_bos_token", adds_begin(files));
  return build.done();
}

GgufTokenizer of_sentence_piece(const TokenizerFiles& files, const TokenizerJson& json, Builder build, Tokens tokens) {
  bool prepends = false;
  if (!only_marks_spaces(json, prepends) || json.ignore_merges) {
    return build.none("llama.cpp has none that treats spaces like this tokenizer.json");
  }
  auto scores = scores_of(json, tokens);
  if (scores.empty()) return build.none("the merges of this tokenizer.json are not those of SentencePiece");
  const auto unknown_at = std::find(tokens.types.begin(), tokens.types.end(), unknown_token);
  build.add("model", std::string("llama"));
  build.add("pre", std::string("default"));
  if (unknown_at != tokens.types.end()) {
    build.add("unknown_token_id", static_cast<uint32_t>(unknown_at - tokens.types.begin()));
  }
  build.add("tokens", std::move(tokens.names));
  build.add("scores", std::move(scores));
  build.add("token_type", std::move(tokens.types));
  build.add_ids();
  build.add("add_bos_token", adds_begin(files));
  build.add("add_space_prefix", prepends);
  return build.done();
}

}  // namespace

GgufTokenizer gguf_tokenizer(const TokenizerFiles& files, const CheckpointConfig& config) {
  const Builder build(config);
  if (files.bpe) return of_gpt2(*files.bpe, build, config.ids.end());
  if (files.tokenizer_json.empty()) return build.none("llama.cpp does not have it");
  const auto json = TokenizerJson::read(files.tokenizer_json);
  auto tokens = tokens_of(json, config.vocabulary);
  return json.kind == TokenizerJson::Kind::byte_level ? of_byte_level(files, json, build, std::move(tokens))
                                                      : of_sentence_piece(files, json, build, std::move(tokens));
}

}  // namespace rfs
