// The tokenizer hf against ids of the Python package `tokenizers` (tools/check_hf_tokenizers --golden), and what is
// wrong with a malformed tokenizer.json.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/text/nfc.h"
#include "rfs/text/tokenizer.h"

namespace rfs {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
const fs::path golden = fs::path(RFS_SOURCE) / "tests/golden/hf_tokenizers";

#define RFS_NEEDS_HF() \
  if (std::string(RFS_OFF).find("text/hf") != std::string::npos) GTEST_SKIP() << "NOT TESTED: built without PCRE2"

std::unique_ptr<Tokenizer> hf(const fs::path& file, const std::vector<std::pair<std::string, int64_t>>& keys = {}) {
  Table table("tokenizer");
  table.set("file", Value{file.string(), "test"});
  for (const auto& [key, value] : keys) table.set(key, Value{value, "test"});
  return Choice<Tokenizer>::read(&table, "hf").make();
}

class HfTokenizer : public testing::TestWithParam<std::string> {};

TEST_P(HfTokenizer, GivesTheIdsOfTokenizers) {
  RFS_NEEDS_HF();
  const auto tokenizer = hf(golden / (GetParam() + ".json"));
  const auto expected = Json::parse(read_file(golden / "ids.json"));
  const auto texts = expected["texts"].get<std::vector<std::string>>();
  ASSERT_GT(texts.size(), 10u);
  for (size_t i = 0; i < texts.size(); ++i) {
    const auto ids = tokenizer->encode(texts[i]);
    EXPECT_EQ(ids, expected[GetParam()][i].get<std::vector<int32_t>>()) << texts[i];
    if (GetParam() == "gpt2" || GetParam() == "llama3" || GetParam() == "smollm") {
      EXPECT_EQ(tokenizer->decode(ids), texts[i]);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Golden, HfTokenizer,
                         testing::Values("gpt2", "gpt_neox", "llama3", "qwen2", "smollm", "llama2", "mistral",
                                         "llama2-always"),
                         [](const auto& named) {
                           return named.param.substr(0, named.param.find('-')) +
                                  (named.param.find('-') == std::string::npos ? "" : "_always");
                         });

TEST(HfTokenizers, DecodeSentencePieceWithoutItsFirstSpace) {
  RFS_NEEDS_HF();
  const auto tokenizer = hf(golden / "llama2.json");
  for (const std::string text : {"two  spaces", "\u5317\u4eac", " x", "\xf0\x9f\x91\x8d"}) {
    EXPECT_EQ(tokenizer->decode(tokenizer->encode(text)), text);
  }
}

TEST(HfTokenizers, HaveWordsOfOneToken) {
  RFS_NEEDS_HF();
  const auto tokenizer = hf(golden / "llama2.json");
  const auto words = tokenizer->words(3);
  ASSERT_EQ(words.size(), 3u);
  EXPECT_EQ(tokenizer->encode(words[0] + " " + words[1] + " " + words[2]).size(), 3u);
  EXPECT_THROW(tokenizer->words(100'000), Error);
}

TEST(HfTokenizers, KeepBytesThatAreNotUtf8) {
  RFS_NEEDS_HF();
  for (const char* name : {"gpt2", "gpt_neox", "llama3", "qwen2", "llama2"}) {
    const auto tokenizer = hf(golden / (std::string(name) + ".json"));
    for (const std::string text : {"a\xff b", "\xc3", "\xed\xa0\x80x", "\xf0\x9f\x91 \xc3\xa9"}) {
      EXPECT_EQ(tokenizer->decode(tokenizer->encode(text)), text) << name;
    }
  }
}

TEST(HfTokenizers, HaveAnEndAndASize) {
  RFS_NEEDS_HF();
  const auto folder = fs::temp_directory_path() / ("rfs_hf_test_" + std::to_string(getpid()));
  fs::create_directories(folder);
  fs::copy(golden / "qwen2.json", folder / "tokenizer.json");
  const auto alone = hf(folder / "tokenizer.json");
  EXPECT_THROW(alone->end(), Error);
  write_file(folder / "tokenizer_config.json", R"({"eos_token": {"content": "<|im_end|>"}})");
  const auto configured = hf(folder / "tokenizer.json");
  EXPECT_EQ(configured->decode(std::vector<int32_t>{configured->end()}), "<|im_end|>");
  EXPECT_EQ(hf(folder / "tokenizer.json", {{"end", 7}})->end(), 7);
  EXPECT_EQ(hf(folder / "tokenizer.json", {{"size", 1000}})->size(), 1000);
  EXPECT_THROW(hf(folder / "tokenizer.json", {{"size", 10}}), Error);
  EXPECT_THROW(hf(folder / "tokenizer.json", {{"end", 100'000}}), Error);
  fs::remove_all(folder);
}

TEST(HfTokenizers, NameWhatIsWrong) {
  RFS_NEEDS_HF();
  const auto folder = fs::temp_directory_path() / ("rfs_hf_test_" + std::to_string(getpid()));
  fs::create_directories(folder);
  const auto base = Json::parse(read_file(golden / "gpt2.json")),
             piece = Json::parse(read_file(golden / "llama2.json"));
  const auto split = [](const std::string& pattern) {
    return Json{{"type", "Sequence"},
                {"pretokenizers",
                 {{{"type", "Split"}, {"pattern", {{"Regex", pattern}}}, {"behavior", "Isolated"}, {"invert", false}},
                  {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"use_regex", false}}}}};
  };
  struct Row {
    const Json& of;
    std::string pointer;
    Json value;
    std::string says;
  };
  const std::vector<Row> rows = {
      {base, "/model/type", "WordPiece", "model: rfs does not support 'WordPiece' here; it reads byte-level BPE"},
      {base, "/model/type", "Unigram", "does not support 'Unigram'"},
      {base, "/model/vocab/a", -1, "the id of 'a' must be an integer from 0 to 16777215, got -1"},
      {base, "/model/vocab/a", 1e30, "the id of 'a' must be an integer"},
      {base, "/model/vocab/a", "7", "the id of 'a' must be an integer from 0 to 16777215, got \"7\""},
      {base, "/model/vocab/a", 5, "two tokens have the id 5"},
      {base, "/model/vocab/a", 9'000'000, "the id 9000000 is out of range"},
      {base, "/model/vocab", Json::array(), "model.vocab: must be an object with a token in it"},
      {base, "/model/vocab", {{"a", 0}}, "the token of byte 0"},
      {base, "/model/merges", "x", "model.merges: must be a list"},
      {base, "/model/merges/3", "abc", "model.merges: entry 3 must be two tokens, got \"abc\""},
      {base, "/model/merges/3", {"a", 2}, "model.merges: entry 3 must be two tokens, got [\"a\",2]"},
      {base, "/model/merges/3", {"a", "zzzz"}, "entry 3 ('a' and 'zzzz') must be two tokens of model.vocab that make"},
      {base, "/model/merges/3", base["model"]["merges"][1], "is there twice"},
      {base, "/model/dropout", 0.5, "'dropout' must be null"},
      {base, "/model/end_of_word_suffix", "</w>", "'end_of_word_suffix' must be empty"},
      {base, "/added_tokens/0/id", 7, "added_tokens: the id 7 of '<|endoftext|>' does not agree"},
      {base, "/added_tokens/0/id", -3, "'id' must be an id from 0 to"},
      {base, "/added_tokens/0/id", 16'000'000, "the id 16000000 is out of range"},
      {base, "/added_tokens/0/single_word", true, "'single_word' of '<|endoftext|>' is not supported"},
      {base, "/added_tokens", 3, "added_tokens: must be a list"},
      {base, "/normalizer", {{"type", "Lowercase"}}, "normalizer: rfs does not support 'Lowercase'"},
      {base, "/pre_tokenizer", {{"type", "Whitespace"}}, "pre_tokenizer: rfs does not support 'Whitespace'"},
      {base, "/pre_tokenizer/add_prefix_space", true, "'add_prefix_space' must be false"},
      {base, "/pre_tokenizer", split("(a"), "pre_tokenizer: the split pattern does not compile"},
      {base, "/pre_tokenizer", split("^a"), "the split pattern has '^', which rfs does not support"},
      {base, "/pre_tokenizer", split("\\w+"), "the split pattern has '\\w', which rfs does not support"},
      {base, "/decoder", {{"type", "WordPiece"}}, "decoder: rfs does not support 'WordPiece'"},
      {piece, "/model/byte_fallback", false, "'byte_fallback' must be true in a BPE that is not byte-level"},
      {piece, "/normalizer", {{"type", "Precompiled"}}, "normalizer: rfs does not support 'Precompiled'"}};
  for (const auto& row : rows) {
    Json changed = row.of;
    changed[Json::json_pointer(row.pointer)] = row.value;
    write_file(folder / "tokenizer.json", changed.dump());
    try {
      hf(folder / "tokenizer.json");
      ADD_FAILURE() << "accepted: " << row.says;
    } catch (const Error& error) {
      const std::string line = error.what();
      EXPECT_NE(line.find(row.says), std::string::npos) << line;
      EXPECT_EQ(line.find('\n'), std::string::npos) << line;
      EXPECT_NE(line.find("tokenizer.json: "), std::string::npos) << line;
    }
  }
  fs::remove_all(folder);
}

// Examples of Unicode Standard Annex 15, Hangul, marks out of order, and a composition that is excluded.
TEST(Nfc, ComposesLikeTheStandard) {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"e\u0301", "\u00e9"},
      {"\u212b", "\u00c5"},
      {"\u1e9b\u0323", "\u1e9b\u0323"},
      {"D\u0307\u0323", "\u1e0c\u0307"},
      {"a\u0315\u0300\u05ae\u0327", "\u00e0\u0327\u05ae\u0315"},
      {"\u1112\u1161\u11ab", "\ud55c"},
      {"\uac00\u11a7", "\uac00\u11a7"},
      {"\u0958", "\u0915\u093c"},
      {"\ufb1d \uf900", "\u05d9\u05b4 \u8c48"},
      {"e\xff\u0301", "e\xff\u0301"},
      {"plain \u00e9", "plain \u00e9"}};
  for (const auto& [text, expected] : rows) EXPECT_EQ(nfc(text), expected) << text;
}

}  // namespace
}  // namespace rfs
