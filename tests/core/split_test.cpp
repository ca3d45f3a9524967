#include "rfs/core/split.h"

#include <gtest/gtest.h>

namespace rfs {
namespace {

using Parts = std::vector<std::string_view>;

TEST(Split, LinesAreThoseOfGetline) {
  EXPECT_EQ(split_lines(""), Parts{});
  EXPECT_EQ(split_lines("a"), Parts{"a"});
  EXPECT_EQ(split_lines("a\nb\n"), (Parts{"a", "b"}));
  EXPECT_EQ(split_lines("\n\na \n"), (Parts{"", "", "a "}));
}

TEST(Split, WordsStandBetweenWhiteSpace) {
  EXPECT_EQ(split_words(""), Parts{});
  EXPECT_EQ(split_words(" \t\n"), Parts{});
  EXPECT_EQ(split_words(" a\tbc\n\r\v\fd "), (Parts{"a", "bc", "d"}));
}

}  // namespace
}  // namespace rfs
