#include "rfs/text/unicode.h"

#include <gtest/gtest.h>

#include "rfs/text/letter_case.h"

namespace rfs {
namespace {

TEST(Unicode, FindsBytesThatAreNotUtf8) {
  EXPECT_EQ(first_broken_byte("aé漢😀"), std::nullopt);
  EXPECT_EQ(first_broken_byte("ab\xff"), 2u);
  EXPECT_EQ(first_broken_byte("a\xc3"), 1u);             // cut off
  EXPECT_EQ(first_broken_byte("\xc0\x80"), 0u);          // overlong
  EXPECT_EQ(first_broken_byte("a\xe0\x80\xaf"), 1u);     // overlong
  EXPECT_EQ(first_broken_byte("\xed\xa0\x80"), 0u);      // half of a surrogate pair
  EXPECT_EQ(first_broken_byte("\xf4\x90\x80\x80"), 0u);  // beyond the last code point
}

TEST(Unicode, CountsCodePoints) {
  EXPECT_EQ(code_points(""), 0);
  EXPECT_EQ(code_points("aé漢😀"), 4);
  EXPECT_EQ(code_points("e\u0301"), 2);
}

TEST(Unicode, StripsWhatPythonTakesForSpace) {
  EXPECT_EQ(
      stripped(" \t\n\v\f\r\x1c\x1d\x1e\x1f\u0085\u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000a b\u3000 "),
      "a b");
  EXPECT_EQ(stripped("\u200bx\u200b"), "\u200bx\u200b");  // Python does not count it as a space
  EXPECT_EQ(right_stripped(" a \u00a0"), " a");
  EXPECT_EQ(stripped(" \u3000"), "");
}

TEST(Unicode, CapitalizesAsPythonDoes) {
  EXPECT_EQ(capitalized(""), "");
  EXPECT_EQ(capitalized("he IS In"), "He is in");
  EXPECT_EQ(capitalized("éCOLE ΑΒΓ ЖЗ"), "École αβγ жз");
  EXPECT_EQ(capitalized("ǆAB"), "ǅab");  // title case differs from upper case
  EXPECT_EQ(capitalized("\U00010428\U00010400"), "\U00010400\U00010428");
}

// Counts from Python 3.11 (Unicode 14): code points whose lower (title) case is a single other code point.
TEST(Unicode, KnowsEveryLetter) {
  int lowered = 0, titled = 0;
  for (uint32_t code = 0; code < 0x110000; ++code) {
    lowered += lower_case(code) != code;
    titled += title_case(code) != code;
  }
  EXPECT_EQ(lowered, 1432);
  EXPECT_EQ(titled, 1404);
}

}  // namespace
}  // namespace rfs
