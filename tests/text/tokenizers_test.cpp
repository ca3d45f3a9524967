// The T5 and GPT-2 tokenizers against stored ids from Python's sentencepiece 0.1.97 and tiktoken.
// tools/check_tokenizers compares a million strings.

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "../data.h"
#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/text/tokenizer.h"

namespace rfs {
namespace {

bool is_off(const std::string& name) {
  return std::string(RFS_OFF).find("text/" + name) != std::string::npos;
}

class Stored : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    RFS_NEEDS_DATA();
    if (is_off(GetParam())) GTEST_SKIP() << "NOT TESTED: built without the library of " << GetParam();
    tokenizer = Choice<Tokenizer>::read(nullptr, GetParam()).make();
  }
  std::unique_ptr<Tokenizer> tokenizer;
};

TEST_P(Stored, IdsAgree) {
  const auto samples = nlohmann::json::parse(read_file(RFS_SOURCE "/tests/golden/tokenizers.json"));
  EXPECT_GT(samples.size(), 20u);
  for (const auto& sample : samples) {
    const auto text = sample.at("text").get<std::string>();
    EXPECT_EQ(tokenizer->encode(text), sample.at(GetParam()).get<std::vector<int32_t>>()) << text;
  }
}

TEST_P(Stored, TakesAnyBytes) {
  for (const std::string bytes : {"\xff", "a\xc3", "\xe2\x82 b", "\xf0\x9f\x91", "\xed\xa0\x80", "ok\x80ok"}) {
    EXPECT_NO_THROW(tokenizer->encode(bytes));
  }
  EXPECT_GT(tokenizer->encode(std::string(1'000'000, 'a')).size(), 1000u);  // does not take quadratic time
}

INSTANTIATE_TEST_SUITE_P(Tokenizers, Stored, testing::Values("t5", "gpt2"),
                         [](const auto& named) { return named.param; });

TEST(Gpt2, GivesBackEveryByte) {
  RFS_NEEDS_DATA();
  if (is_off("gpt2")) GTEST_SKIP() << "NOT TESTED: built without PCRE2";
  const auto tokenizer = Choice<Tokenizer>::read(nullptr, "gpt2").make();
  EXPECT_EQ(tokenizer->size(), 50'257);
  EXPECT_EQ(tokenizer->end(), 50'256);
  std::string all;
  for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
  for (const std::string& text : {all, all + all, std::string("a\xff\xfe b\xc3 c"), std::string(5'000, '\x80')}) {
    EXPECT_EQ(tokenizer->decode(tokenizer->encode(text)), text);
  }
}

TEST(T5, GivesBackTextAndSentinels) {
  RFS_NEEDS_DATA();
  if (is_off("t5")) GTEST_SKIP() << "NOT TESTED: built without SentencePiece";
  const auto tokenizer = Choice<Tokenizer>::read(nullptr, "t5").make();
  EXPECT_EQ(tokenizer->decode(tokenizer->encode("Thank you for inviting me.")), "Thank you for inviting me.");
  EXPECT_EQ(tokenizer->decode(std::vector<int32_t>{32'099, 32'000, 32'127}), "<extra_id_0> <extra_id_99> <unk>");
}

TEST(Bytes, AreIds) {
  const auto tokenizer = Choice<Tokenizer>::read(nullptr, "bytes").make();
  std::string all;
  for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
  const auto ids = tokenizer->encode(all);
  for (int32_t i = 0; i < 256; ++i) EXPECT_EQ(ids[static_cast<size_t>(i)], i);
  EXPECT_EQ(tokenizer->decode(ids), all);
  EXPECT_EQ(tokenizer->size(), 257);
  EXPECT_EQ(tokenizer->decode(std::vector<int32_t>{97, tokenizer->end(), 98}), "ab");
  EXPECT_THROW(tokenizer->words(1), Error);
}

}  // namespace
}  // namespace rfs
