// How decoded answers are measured, on answers written by hand.

#include "rfs/tasks/mistakes.h"

#include <gtest/gtest.h>

#include <numeric>

#include "rfs/core/edit_distance.h"
#include "rfs/core/random.h"

namespace rfs {
namespace {

/// One id per letter; '.' is the end token.
std::vector<int32_t> ids(const std::string& text) {
  return {text.begin(), text.end()};
}
Comparison compared(const std::string& expected, const std::string& given) {
  return compare_answers(ids(expected), ids(given));
}

TEST(Mistakes, AreOfOneKindEach) {
  struct Case {
    std::string expected, given, kind;
  };
  const std::vector<Case> cases = {
      {"abcdef.", "abcdef.", ""},
      {"abcdef.", "abc.", "stopped_early"},
      {"abcdef.", ".", "stopped_early"},
      {"abcdef.", "", "stopped_early"},
      {"abcdef.", "abcdefg", "ran_on"},
      {"abcdef.", "abcdeff", "ran_on"},
      {"abcdef.", "abdcef.", "swapped"},
      {"abcdef.", "abcdfe.", "swapped"},
      {"ab.", "ba.", "swapped"},
      {"abcdef.", "abbcdef", "repeated"},  // cut off: no room for the end
      {"abcdef.", "abbbcde", "repeated"},
      {"abcdef.", "abcabcd", "repeated"},  // three ids are repeated
      {"abcdef.", "abbbbbb", "repeated"},  // never leaves the loop
      {"abcdef.", "abababa", "repeated"},
      {"abcdef.", "abdef.", "dropped"},
      {"abcdef.", "bcdef.", "dropped"},
      {"abcdef.", "abcde.", "stopped_early"},  // dropping the last id is the same as stopping early
      {"abbcd.", "abcd.", "dropped"},
      {"abcdef.", "af.", "dropped"},
      {"abcdef.", "abxdef.", "substituted"},
      {"abcdef.", "xyzxyz.", "substituted"},
      {"abcdef.", "xyzxyzx", "substituted"},
      {"abcdef.", "abbdef.", "substituted"},  // a repeated id that replaces another one
      {"abcdef.", "abxcdef", "other"},        // an inserted id that is not a repetition
  };
  for (const auto& [expected, given, kind] : cases) EXPECT_EQ(compared(expected, given).kind, kind) << given;
  // The first mistake decides the kind.
  EXPECT_EQ(compared("abcdefghij.", "abdcefxhij.").kind, "swapped");
  EXPECT_EQ(compared("abcdefghij.", "abdefghxj.").kind, "dropped");
  EXPECT_EQ(compared("abcdefghij.", "axcdefgh.").kind, "substituted");
}

TEST(Mistakes, AreMeasured) {
  const auto one = compared("abcdefghi.", "abcxefghi.");
  EXPECT_DOUBLE_EQ(one.token_accuracy, 0.9);
  EXPECT_DOUBLE_EQ(one.edit_distance, 0.1);
  EXPECT_EQ(one.first_mistake, 3u);
  const auto early = compared("abcdefghi.", "ab.");
  EXPECT_DOUBLE_EQ(early.token_accuracy, 0.2);
  EXPECT_DOUBLE_EQ(early.edit_distance, 0.7);
  EXPECT_EQ(early.first_mistake, 2u);
  const auto shifted = compared("abcdefghi.", "aabcdefghi");  // one mistake makes every later token wrong
  EXPECT_DOUBLE_EQ(shifted.token_accuracy, 0.1);
  EXPECT_DOUBLE_EQ(shifted.edit_distance, 0.2);
  EXPECT_EQ(compared("ab.", "xx.").first_mistake, 0u);
  EXPECT_EQ(compared("ab.", "abx").first_mistake, 6u);
}

TEST(Mistakes, AreSummedUp) {
  const std::vector<Comparison> right(7, compared("abc.", "abc."));
  const auto perfect = summarise(right);
  EXPECT_EQ(perfect.samples, 7);
  EXPECT_EQ(perfect.token_accuracy, 1);
  EXPECT_EQ(perfect.edit_distance, 0);
  EXPECT_EQ(perfect.first_mistakes, std::vector<int64_t>(10, 0));
  ASSERT_EQ(perfect.mistakes.size(), mistake_kinds().size());
  for (const auto& [kind, count] : perfect.mistakes) EXPECT_EQ(count, 0) << kind;

  const auto mixed = summarise(std::vector<Comparison>{compared("abc.", "abc."), compared("abc.", "axc."),
                                                       compared("abc.", "a."), compared("abc.", "abcx")});
  EXPECT_DOUBLE_EQ(mixed.token_accuracy, (1 + 0.75 + 0.25 + 0.75) / 4);
  EXPECT_DOUBLE_EQ(mixed.edit_distance, (0 + 0.25 + 0.5 + 0.25) / 4);
  EXPECT_EQ(mixed.first_mistakes, (std::vector<int64_t>{0, 0, 2, 0, 0, 0, 0, 1, 0, 0}));
  EXPECT_EQ(mixed.mistakes.at("substituted"), 1);
  EXPECT_EQ(mixed.mistakes.at("stopped_early"), 1);
  EXPECT_EQ(mixed.mistakes.at("ran_on"), 1);
  EXPECT_EQ(summarise({}).samples, 0);
}

size_t by_trying_all(std::span<const int32_t> a, std::span<const int32_t> b) {
  if (a.empty() || b.empty()) return a.size() + b.size();
  const auto rest_a = a.subspan(1), rest_b = b.subspan(1);
  return std::min({by_trying_all(rest_a, b) + 1, by_trying_all(a, rest_b) + 1,
                   by_trying_all(rest_a, rest_b) + (a[0] == b[0] ? 0 : 1)});
}

TEST(Mistakes, KnowTheEditDistanceAndAlwaysAKind) {
  const auto kinds = mistake_kinds();
  for (uint64_t i = 0; i < 2000; ++i) {
    Stream stream(1, "texts", i);
    const auto draw = [&] {
      std::vector<int32_t> text(stream.below(7));
      for (auto& id : text) id = static_cast<int32_t>(1 + stream.below(3));
      return text;
    };
    auto a = draw(), b = draw();
    ASSERT_EQ(edit_distance<int32_t>(a, b), by_trying_all(a, b));
    a.push_back(0);
    if (stream.below(2) == 0) b.push_back(0);
    const auto both = compare_answers(a, b);
    EXPECT_EQ(both.kind.empty(), a == b);
    EXPECT_EQ(both.first_mistake.has_value(), a != b);
    if (a == b) continue;
    EXPECT_NE(std::find(kinds.begin(), kinds.end(), both.kind), kinds.end()) << both.kind;
    EXPECT_LE(*both.first_mistake, 9u);
  }
}

}  // namespace
}  // namespace rfs
