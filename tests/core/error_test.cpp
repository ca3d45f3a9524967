#include "rfs/core/error.h"

#include <gtest/gtest.h>

namespace rfs {
namespace {

TEST(Messages, QuoteAtMostALineOfAUsersText) {
  EXPECT_EQ(shortened("as it is"), "as it is");
  EXPECT_EQ(shortened("two\nlines"), "two?lines");
  EXPECT_EQ(shortened(std::string(80, 'x')), std::string(80, 'x'));
  EXPECT_EQ(shortened(std::string(10'000'000, 'x')), std::string(80, 'x') + "...");
  std::string text = "x";
  for (int i = 0; i < 100; ++i) text += "é";  // two bytes each: byte 80 is the second one of a character
  EXPECT_EQ(shortened(text), text.substr(0, 79) + "...");
  EXPECT_EQ(shortened(std::string(100, '\xbf')), std::string(80, '\xbf') + "...");  // not UTF-8
}

TEST(Messages, AreBoundedWhateverTheyQuote) {
  EXPECT_EQ(Error("short").what(), std::string("short"));
  const std::string whole(Error::longest, 'x');
  EXPECT_EQ(Error(whole).what(), whole);
  const std::string line = Error("file:1: got " + std::string(10'000'000, 'x') + "; do that").what();
  EXPECT_LE(line.size(), Error::longest);
  EXPECT_TRUE(line.starts_with("file:1: got x")) << line;
  EXPECT_NE(line.find("x ... x"), std::string::npos) << line;
  EXPECT_TRUE(line.ends_with("x; do that")) << line;
}

TEST(Messages, UnknownNamesAreShortened) {
  const std::vector<std::string> known = {"copy", "sort"};
  EXPECT_EQ(unknown("task", "copi", known), "unknown task 'copi' (did you mean 'copy'?); known: copy, sort");
  EXPECT_EQ(unknown("task", std::string(10'000'000, 'x'), known),
            "unknown task '" + std::string(80, 'x') + "...'; known: copy, sort");
}

}  // namespace
}  // namespace rfs
