#include "rfs/core/format.h"

#include <gtest/gtest.h>

#include <limits>

namespace rfs {
namespace {

TEST(Format, WritesEveryKindOfValue) {
  EXPECT_EQ(rfs::format("nothing"), "nothing");
  EXPECT_EQ(rfs::format("{{}} {}", std::string("text")), "{} text");
  EXPECT_EQ(rfs::format("{} {} {} {}", true, 'x', "literal", std::string_view("view")), "true x literal view");
  EXPECT_EQ(rfs::format("{} {}", std::numeric_limits<int64_t>::min(), std::numeric_limits<uint64_t>::max()),
            "-9223372036854775808 18446744073709551615");
  EXPECT_EQ(rfs::format("{} {} {:.3f} {:g}", 0.1f, 0.1, 2.0 / 3, 1e-9), "0.1 0.1 0.667 1e-09");
}

TEST(Format, PlacesFieldsByWidthAndNumber) {
  EXPECT_EQ(rfs::format("[{:>4}|{:<4}|{:>{}}]", 12, "ab", 7, 3), "[  12|ab  |  7]");
  EXPECT_EQ(rfs::format("{1} {0:04x} {1}", 255, "z"), "z 00ff z");
}

TEST(Format, JoinsRanges) {
  EXPECT_EQ(joined(std::vector<int>{1, 2, 3}, ", "), "1, 2, 3");
  EXPECT_EQ(joined(std::vector<std::string>{}, ", "), "");
}

TEST(Format, ChecksPatterns) {
  using enum FormatKind;
  const auto refused = [](std::string_view pattern, std::vector<FormatKind> kinds) {
    try {
      check_format(pattern, kinds);
      return false;
    } catch (const char*) {
      return true;
    }
  };
  EXPECT_FALSE(refused("{} {:.2f} {:>{}}", {text, number, text, integer}));
  EXPECT_TRUE(refused("{} {}", {text}));         // an argument is missing
  EXPECT_TRUE(refused("{:.2f}", {integer}));     // a type for floats
  EXPECT_TRUE(refused("{:d}", {number}));        // a type for integers
  EXPECT_TRUE(refused("{:>{}}", {text, text}));  // a width that is not a number
  EXPECT_TRUE(refused("{0} {}", {text, text}));  // numbered and unnumbered
  EXPECT_TRUE(refused("{", {text}));
  EXPECT_TRUE(refused("}", {text}));
}

}  // namespace
}  // namespace rfs
