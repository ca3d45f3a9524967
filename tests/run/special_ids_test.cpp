// Special ids of imported models: in the settings, and in old settings that lack them.

#include <gtest/gtest.h>

#include "rfs/core/error.h"
#include "rfs/run/stored_settings.h"

namespace rfs {
namespace {

std::unique_ptr<Tokenizer> tokenizer(const std::string& keys) {
  return stored_run_settings("[tokenizer]\nuse = \"ids\"\nsize = 9\nend = 3\n" + keys, "test").tokenizer.make();
}

TEST(SpecialIds, AreThoseOfTheSettings) {
  const auto ids = tokenizer("begin = 2\npad = 4\nmore_ends = [5, 8]\n");
  EXPECT_EQ(ids->ends(), (std::vector<int32_t>{3, 5, 8}));
  EXPECT_EQ(ids->begin(), 2);
  EXPECT_EQ(ids->pad(), 4);
  for (const char* key : {"begin = 9", "pad = -2", "more_ends = [1, 9]", "more_ends = [-1]"}) {
    EXPECT_THROW(tokenizer(key), Error) << key;
  }
}

TEST(SpecialIds, AreAbsentInOldSettings) {
  const auto ids = tokenizer("");
  EXPECT_EQ(ids->ends(), std::vector<int32_t>{3});
  EXPECT_EQ(ids->begin(), -1);
  EXPECT_EQ(ids->pad(), -1);
  const auto old = stored_run_settings("[tokenizer]\nuse = \"ids\"\nsize = 9\nend = 3\n", "test");
  EXPECT_TRUE(has_settings("[tokenizer]\nuse = \"ids\"\nsize = 9\nend = 3\nbegin = -1\nmore_ends = []\n", old));
  EXPECT_FALSE(has_settings("[tokenizer]\nuse = \"ids\"\nsize = 9\nend = 3\nmore_ends = [1]\n", old));
  EXPECT_EQ(Choice<Tokenizer>::read(nullptr, "words").make()->ends(), std::vector<int32_t>{0});
}

}  // namespace
}  // namespace rfs
