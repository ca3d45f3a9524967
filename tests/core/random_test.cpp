#include "rfs/core/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

namespace rfs {
namespace {

using Words = std::array<uint32_t, 4>;

// Known answers, published with Random123.
TEST(Philox, GivesThePublishedAnswers) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}), (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Stream, IsAFunctionOfSeedPurposeAndIndex) {
  const auto first = [](uint64_t seed, const char* purpose, uint64_t index) {
    return Stream(seed, purpose, index).uniform();
  };
  EXPECT_EQ(first(1, "positions", 7), first(1, "positions", 7));
  std::set<double> different;
  for (uint64_t seed = 0; seed < 10; ++seed) {
    for (const char* purpose : {"positions", "dropout", "order"}) {
      for (uint64_t index : {uint64_t{0}, uint64_t{1}, uint64_t{1} << 32, ~uint64_t{0}})
        different.insert(first(seed, purpose, index));
    }
  }
  EXPECT_EQ(different.size(), 120u);
}

// Each statistic must be within five standard deviations, so a false alarm has probability 6e-7. Seeds are fixed: a
// failure means that the generator changed.
TEST(Stream, HasTheMomentsOfItsLaws) {
  constexpr int n = 200'000;
  Stream stream(1, "moments");
  const auto check = [&](auto draw, double mean, double variance, double fourth) {
    double sum = 0, square = 0;
    for (int i = 0; i < n; ++i) {
      const double x = draw() - mean;
      sum += x;
      square += x * x;
    }
    EXPECT_NEAR(sum / n, 0, 5 * std::sqrt(variance / n));
    EXPECT_NEAR(square / n, variance, 5 * std::sqrt((fourth - variance * variance) / n));
  };
  check([&] { return stream.uniform(); }, 0.5, 1.0 / 12, 1.0 / 80);
  check([&] { return stream.normal(); }, 0, 1, 3);
  check([&] { return stream.exponential(); }, 1, 1, 9);
  check([&] { return static_cast<double>(stream.below(6)); }, 2.5, 35.0 / 12, 707.0 / 48);
}

TEST(Stream, BelowReachesEveryValueAndNoOther) {
  Stream stream(2, "below");
  std::vector<int> seen(5);
  for (int i = 0; i < 1000; ++i) ++seen.at(stream.below(5));
  for (const int count : seen) EXPECT_GT(count, 100);
  EXPECT_EQ(stream.below(1), 0u);
}

}  // namespace
}  // namespace rfs
