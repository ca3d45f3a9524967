// Tokenizers in GGUF files: the keys of each kind, and tokenizers that llama.cpp does not have.

#include "rfs/interchange/gguf_tokenizer.h"

#include <algorithm>

#include "checkpoints.h"
#include "rfs/core/format.h"

namespace rfs {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

class GgufTokenizers : public Folder {
 protected:
  GgufTokenizer of(const Json& tokenizer, const Json& config = nullptr) {
    TokenizerFiles files;
    files.tokenizer_json = (path / "tokenizer.json").string();
    write_file(files.tokenizer_json, tokenizer.dump());
    files.copied["tokenizer.json"] = tokenizer.dump();
    if (config.is_object()) files.copied["tokenizer_config.json"] = config.dump();
    return gguf_tokenizer(files, model);
  }
  static Json published(const std::string& name) {
    return Json::parse(read_file(golden / "hf_tokenizers" / (name + ".json")));
  }
  template <class T>
  static T get(const GgufTokenizer& tokenizer, const std::string& key) {
    for (const auto& [name, value] : tokenizer.metadata) {
      if (name == "tokenizer.ggml." + key) return std::get<T>(value);
    }
    ADD_FAILURE() << key;
    return {};
  }
  static bool has(const GgufTokenizer& tokenizer, const std::string& key) {
    const auto& all = tokenizer.metadata;
    return std::any_of(all.begin(), all.end(), [&](const auto& one) { return one.first == "tokenizer.ggml." + key; });
  }

  /// A BPE of SentencePiece's kind with the tokens of three letters.
  static Json sentence_piece() {
    Json vocabulary = {{"<unk>", 0}, {"<s>", 1}, {"</s>", 2}};
    for (int byte = 0; byte < 256; ++byte) vocabulary[rfs::format("<0x{:02X}>", byte)] = 3 + byte;
    int id = 259;
    for (const char* token : {"ab", "\u2581a", "\u2581ab", "\u2581", "a", "b"}) vocabulary[token] = id++;
    Json added = Json::array();
    for (const char* token : {"<unk>", "<s>", "</s>"}) {
      added.push_back({{"id", vocabulary[token]}, {"content", token}, {"special", true}});
    }
    const auto pair = [](const char* left, const char* right) { return Json::array({left, right}); };
    return {{"added_tokens", added},
            {"normalizer",
             {{"type", "Sequence"},
              {"normalizers",
               {{{"type", "Prepend"}, {"prepend", "\u2581"}},
                {{"type", "Replace"}, {"pattern", {{"String", " "}}}, {"content", "\u2581"}}}}}},
            {"post_processor", {{"type", "TemplateProcessing"}, {"single", {{{"SpecialToken", {{"id", "<s>"}}}}}}}},
            {"model",
             {{"type", "BPE"},
              {"byte_fallback", true},
              {"vocab", vocabulary},
              {"merges",
               Json::array({pair("a", "b"), pair("\u2581", "a"), pair("\u2581", "ab"), pair("\u2581\u0061", "b")})}}}};
  }

  CheckpointConfig model = [] {
    CheckpointConfig config;
    config.vocabulary = 600;
    config.ids = {1, -1, {0, 5}};
    return config;
  }();
};

TEST_F(GgufTokenizers, HaveTheSplitsOfPublishedFamilies) {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"gpt2", "gpt-2"}, {"gpt_neox", "gpt-2"}, {"smollm", "smollm"}, {"qwen2", "qwen2"}, {"llama3", "llama-bpe"}};
  for (const auto& [name, pre] : rows) {
    const Json json = published(name);
    const auto made = of(json);
    EXPECT_EQ(made.refusal, "") << name;
    EXPECT_EQ(get<std::string>(made, "model"), "gpt2");
    EXPECT_EQ(get<std::string>(made, "pre"), pre);
    const auto tokens = get<std::vector<std::string>>(made, "tokens");
    const auto types = get<std::vector<int32_t>>(made, "token_type");
    ASSERT_EQ(tokens.size(), 600u);
    ASSERT_EQ(types.size(), 600u);
    for (const auto& [token, id] : json["model"]["vocab"].items()) EXPECT_EQ(tokens[id.get<size_t>()], token);
    for (const auto& added : json["added_tokens"]) {
      EXPECT_EQ(tokens[added["id"].get<size_t>()], added["content"]);
      EXPECT_EQ(types[added["id"].get<size_t>()], added["special"] ? 3 : 4);
    }
    EXPECT_EQ(types[100], 1);
    EXPECT_EQ(tokens[599], "[PAD599]");
    EXPECT_EQ(types[599], 5);
    const auto merges = get<std::vector<std::string>>(made, "merges");
    ASSERT_EQ(merges.size(), json["model"]["merges"].size());
    const Json& first = json["model"]["merges"][0];
    EXPECT_EQ(merges[0], first.is_string() ? first.get<std::string>()
                                           : first[0].get<std::string>() + " " + first[1].get<std::string>());
    EXPECT_EQ(get<uint32_t>(made, "bos_token_id"), 1u);
    EXPECT_EQ(get<uint32_t>(made, "eos_token_id"), 0u);
    EXPECT_FALSE(has(made, "padding_token_id"));
    EXPECT_FALSE(get<bool>(made, "add_bos_token"));
  }
}

TEST_F(GgufTokenizers, HaveTheScoresOfSentencePiece) {
  const auto made = of(sentence_piece());
  EXPECT_EQ(made.refusal, "");
  EXPECT_EQ(get<std::string>(made, "model"), "llama");
  EXPECT_EQ(get<std::string>(made, "pre"), "default");
  const auto tokens = get<std::vector<std::string>>(made, "tokens");
  const auto types = get<std::vector<int32_t>>(made, "token_type");
  const auto scores = get<std::vector<float>>(made, "scores");
  ASSERT_EQ(scores.size(), 600u);
  EXPECT_EQ(types[0], 2);
  EXPECT_EQ(types[1], 3);
  EXPECT_EQ(tokens[3 + 10], "<0x0A>");
  EXPECT_EQ(types[3 + 10], 6);
  EXPECT_EQ(types[259], 1);
  EXPECT_EQ(tokens[261], "\u2581\u0061\u0062");
  EXPECT_EQ((std::vector<float>{scores[259], scores[260], scores[261]}), (std::vector<float>{-1, -2, -3}));
  EXPECT_EQ(get<uint32_t>(made, "unknown_token_id"), 0u);
  EXPECT_TRUE(get<bool>(made, "add_bos_token"));
  EXPECT_TRUE(get<bool>(made, "add_space_prefix"));
  EXPECT_FALSE(get<bool>(of(sentence_piece(), {{"add_bos_token", false}}), "add_bos_token"));

  Json mistral = sentence_piece();
  mistral["normalizer"] = nullptr;
  for (const char* scheme : {"first", "always", "never"}) {
    mistral["pre_tokenizer"] = {{"type", "Metaspace"}, {"prepend_scheme", scheme}, {"split", false}};
    EXPECT_EQ(get<bool>(of(mistral), "add_space_prefix"), scheme != std::string("never"));
  }
}

TEST_F(GgufTokenizers, OfOtherKindsAreNone) {
  const auto refused = [&](const Json& json) {
    const auto made = of(json);
    EXPECT_EQ(made.metadata.size(), 1u);
    EXPECT_EQ(get<std::string>(made, "model"), "none");
    return made.refusal;
  };
  Json json = published("qwen2");
  json["pre_tokenizer"]["pretokenizers"][0]["pattern"]["Regex"] = "x";
  EXPECT_EQ(refused(json), "llama.cpp has none that splits texts like this tokenizer.json");
  json = published("llama3");
  json["model"]["ignore_merges"] = false;
  EXPECT_EQ(refused(json), "llama.cpp has none that splits texts like this tokenizer.json");
  json = published("gpt2");
  json["normalizer"] = {{"type", "Prepend"}, {"prepend", "x"}};
  EXPECT_EQ(refused(json), "llama.cpp has none with the normalizer of this tokenizer.json");
  json = sentence_piece();
  json["normalizer"] = nullptr;
  EXPECT_EQ(refused(json), "llama.cpp has none that treats spaces like this tokenizer.json");
  json = sentence_piece();
  json["model"]["merges"].erase(3);  // llama.cpp would still merge these two
  EXPECT_EQ(refused(json), "the merges of this tokenizer.json are not those of SentencePiece");
  json = sentence_piece();
  std::swap(json["model"]["merges"][2], json["model"]["merges"][0]);
  std::swap(json["model"]["merges"][2], json["model"]["merges"][1]);
  EXPECT_EQ(refused(json), "the merges of this tokenizer.json are not those of SentencePiece");
  EXPECT_EQ(gguf_tokenizer({}, model).refusal, "llama.cpp does not have it");
}

}  // namespace
}  // namespace rfs
