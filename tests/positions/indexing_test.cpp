// The contract of every registered indexing, the paper's formulas in double precision, and the distribution of draws.

#include "rfs/positions/indexing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "rfs/positions/sorted.h"

namespace rfs {
namespace {

std::unique_ptr<PositionIndexing> make(const std::string& name, const std::string& keys = "") {
  const auto settings = Settings::from_text("[positions]\nuse = '" + name + "'\n" + keys, "test");
  return Choice<PositionIndexing>::read(settings.find("positions"), "").make();
}

std::vector<float> train(const PositionIndexing& indexing, size_t tokens, int64_t trained, uint64_t index = 0) {
  std::vector<float> positions(tokens, std::numeric_limits<float>::quiet_NaN());
  Stream stream(1, "test", index);
  indexing.train(stream, trained, positions);
  return positions;
}

std::vector<float> infer(const PositionIndexing& indexing, size_t tokens, int64_t trained, int64_t input) {
  std::vector<float> positions(tokens, std::numeric_limits<float>::quiet_NaN());
  Stream stream(1, "test");
  indexing.infer(stream, trained, input, positions);
  return positions;
}

bool increasing(const std::vector<float>& positions) {
  return std::adjacent_find(positions.begin(), positions.end(), [](float a, float b) { return !(a < b); }) ==
             positions.end() &&
         (positions.empty() || std::isfinite(positions.back()));
}

class EveryIndexing : public testing::TestWithParam<std::string> {};

TEST_P(EveryIndexing, GivesSortedDistinctPositions) {
  const auto indexing = make(GetParam());
  for (const size_t tokens : {0, 1, 2, 10, 47, 100, 400}) {
    EXPECT_TRUE(increasing(train(*indexing, tokens, 47))) << tokens;
    EXPECT_TRUE(increasing(infer(*indexing, tokens, 47, static_cast<int64_t>(tokens)))) << tokens;
  }
}

TEST_P(EveryIndexing, IsAFunctionOfItsStream) {
  const auto indexing = make(GetParam());
  EXPECT_EQ(train(*indexing, 30, 47, 5), train(*indexing, 30, 47, 5));
  EXPECT_EQ(infer(*indexing, 30, 47, 60), infer(*indexing, 30, 47, 60));
}

TEST_P(EveryIndexing, NumbersAPrefixAsPartOfTheWhole) {
  const auto indexing = make(GetParam());
  const auto whole = infer(*indexing, 90, 47, 90);
  const auto prefix = infer(*indexing, 31, 47, 90);
  EXPECT_TRUE(std::equal(prefix.begin(), prefix.end(), whole.begin()));
}

TEST_P(EveryIndexing, KeepsTheStepItPromises) {
  const auto indexing = make(GetParam());
  for (const int64_t input : {10, 47, 300}) {
    const auto step = indexing->even_step(47, input);
    const auto positions = infer(*indexing, static_cast<size_t>(input), 47, input);
    double worst = 0;
    for (size_t i = 0; step && i < positions.size(); ++i) {
      worst = std::max(worst, std::abs(positions[i] - positions[0] - *step * static_cast<double>(i)));
    }
    EXPECT_LT(worst, 1e-4) << input;
  }
}

TEST(EvenStep, IsPromisedWhereItIsEven) {
  EXPECT_EQ(make("sequential")->even_step(47, 300), 1);
  EXPECT_EQ(make("interpolated")->even_step(47, 40), 1);
  EXPECT_EQ(make("interpolated")->even_step(47, 94), 0.5);
  EXPECT_EQ(make("random_float")->even_step(50, 40), 20);
  EXPECT_EQ(make("random_float")->even_step(50, 100), 10);
  EXPECT_EQ(make("random_float", "distribution = 'normal'")->even_step(50, 100), 10);
  EXPECT_EQ(make("random_float", "inference = 'quantile'")->even_step(50, 100),
            10);  // the quantiles of a uniform distribution are evenly spaced
  EXPECT_FALSE(make("random_float", "inference = 'quantile'\ndistribution = 'beta'")->even_step(50, 100));
  EXPECT_FALSE(make("random_integer")->even_step(50, 100));
  EXPECT_FALSE(make("random_integer", "inference = 'even'")->even_step(50, 100));
}

TEST_P(EveryIndexing, ListsHelpForEveryOption) {
  const auto& entry = Registry<PositionIndexing>::find(GetParam(), "test");
  EXPECT_FALSE(entry.summary.empty());
  const auto options = entry.options();
  for (const auto& field : options->entries()) EXPECT_FALSE(field.help.empty()) << field.name;
}

INSTANTIATE_TEST_SUITE_P(Registered, EveryIndexing, testing::ValuesIn(Registry<PositionIndexing>::names()),
                         [](const auto& named) { return named.param; });

// The limit is 2^23 tokens (PositionIndexing::longest_row). The project promises a million.
TEST(LongRows, StayDistinctAtAMillionTokens) {
  constexpr size_t million = 1'000'000;
  for (const auto& indexing :
       {make("sequential"), make("interpolated"), make("random_float"), make("random_float", "range = 1e-3"),
        make("random_float", "range = 100000.0"),
        make("random_float", "distribution = 'normal'\ninference = 'quantile'"),
        make("random_float", "distribution = 'beta'\ninference = 'quantile'"),
        make("random_integer", "range = 2000000"), make("random_integer", "range = 2000000\ninference = 'even'")}) {
    EXPECT_TRUE(increasing(train(*indexing, million, 47)));
    EXPECT_TRUE(increasing(infer(*indexing, million, 47, million)));
  }
}

TEST(LongRows, StayDistinctUpToTheLimitAndAreRefusedAboveIt) {
  const auto limit = static_cast<size_t>(PositionIndexing::longest_row);
  for (const char* name : {"sequential", "interpolated", "random_float"}) {
    const auto indexing = make(name);
    EXPECT_TRUE(increasing(infer(*indexing, limit, 47, static_cast<int64_t>(limit)))) << name;
    EXPECT_THROW(train(*indexing, limit + 1, 47), Error) << name;
  }
  const auto integers = make("random_integer", "range = 20");
  EXPECT_NO_THROW(train(*integers, 20, 47));
  EXPECT_THROW(train(*integers, 21, 47), Error);
  EXPECT_THROW(infer(*integers, 5, 5, 21), Error);
  EXPECT_THROW(infer(*make("random_integer", "range = 20\ninference = 'even'"), 5, 21, 5), Error);
}

TEST(Sequential, Counts) {
  const auto indexing = make("sequential");
  for (size_t i = 0; i < 100; ++i) {
    EXPECT_EQ(train(*indexing, 100, 10)[i], static_cast<float>(i));
    EXPECT_EQ(infer(*indexing, 100, 10, 100)[i], static_cast<float>(i));
  }
}

TEST(Interpolated, FollowsItsFormula) {
  const auto indexing = make("interpolated");
  EXPECT_EQ(train(*indexing, 20, 47), train(*make("sequential"), 20, 47));
  EXPECT_EQ(infer(*indexing, 47, 47, 47), train(*make("sequential"), 47, 47));
  EXPECT_EQ(infer(*indexing, 10, 47, 10), train(*make("sequential"), 10, 47));
  for (size_t i = 0; i < 90; ++i) {
    EXPECT_FLOAT_EQ(infer(*indexing, 90, 47, 90)[i], static_cast<float>(static_cast<double>(i) * 47.0 / 90.0));
  }
}

// Paper, section 3: p_i = L (2i - 1) / (2 max(n_tr, n_in)), i = 1 .. n_in.
TEST(RandomFloat, IsEvenAtInference) {
  for (const double range : {10.0, 1000.0, 100'000.0}) {
    const auto indexing = make("random_float", "range = " + std::to_string(range));
    for (const auto& [trained, input] :
         std::vector<std::pair<int64_t, int64_t>>{{47, 10}, {47, 47}, {47, 90}, {1, 1000}}) {
      const auto positions = infer(*indexing, static_cast<size_t>(input), trained, input);
      for (int64_t i = 1; i <= input; ++i) {
        const double exact = range * static_cast<double>(2 * i - 1) / static_cast<double>(2 * std::max(trained, input));
        EXPECT_EQ(positions[static_cast<size_t>(i - 1)], static_cast<float>(exact));
      }
    }
  }
}

TEST(RandomFloat, QuantilesInvertTheDistribution) {
  const auto normal = make("random_float", "range = 1.0\ndistribution = 'normal'\ninference = 'quantile'");
  const auto beta = make("random_float", "range = 1.0\ndistribution = 'beta'\ninference = 'quantile'");
  const auto p = infer(*normal, 90, 47, 90), q = infer(*beta, 90, 47, 90);
  for (size_t i = 0; i < 90; ++i) {
    const double u = (2 * static_cast<double>(i) + 1) / 180;
    EXPECT_NEAR(0.5 * std::erfc(-(static_cast<double>(p[i]) - 0.5) / 0.2 / std::numbers::sqrt2), u, 2e-7);
    EXPECT_FLOAT_EQ(q[i], static_cast<float>((1 - std::cos(std::numbers::pi * u)) / 2));  // sin^2(pi u / 2)
  }
  for (double u = 1e-12; u < 1; u = u < 1e-3 ? u * 1.7 : u + 1e-3) {
    EXPECT_NEAR(0.5 * std::erfc(-normal_quantile(u) / std::numbers::sqrt2) / u, 1, 1e-12) << u;
  }
}

// Kolmogorov and Smirnov: sqrt(n) D exceeds sqrt(ln(2 / a) / 2) with probability below a. Here a = 1e-6 per test. Seeds
// are fixed: a failure means that the draws changed. The positions of a row, without their order, are independent
// draws.
void expect_law(const PositionIndexing& indexing, const std::function<double(double)>& distribution) {
  std::vector<double> values;
  for (uint64_t row = 0; row < 2000; ++row) {
    for (const float p : train(indexing, 40, 47, row)) values.push_back(distribution(static_cast<double>(p)));
  }
  std::sort(values.begin(), values.end());
  const double n = static_cast<double>(values.size());
  double largest = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    largest = std::max({largest, values[i] - static_cast<double>(i) / n, (static_cast<double>(i) + 1) / n - values[i]});
  }
  EXPECT_LT(std::sqrt(n) * largest, std::sqrt(std::log(2 / 1e-6) / 2));
}

TEST(RandomFloat, DrawsFromItsDistributions) {
  expect_law(*make("random_float"), [](double p) { return p / 1000; });
  expect_law(*make("random_float", "range = 10.0"), [](double p) { return p / 10; });
  expect_law(*make("random_float", "distribution = 'normal'"),
             [](double p) { return 0.5 * std::erfc(-(p / 1000 - 0.5) / 0.2 / std::numbers::sqrt2); });
  expect_law(*make("random_float", "distribution = 'beta'"),
             [](double p) { return 2 / std::numbers::pi * std::asin(std::sqrt(p / 1000)); });
}

// The i-th smallest of n uniforms is Beta(i, n + 1 - i): mean i / (n + 1), variance mean (1 - mean) / (n + 2). Five
// standard deviations for 20 values of i: false alarm below 1.2e-5, with fixed seeds.
void expect_order_statistics(const PositionIndexing& indexing, size_t tokens, double drawn) {
  constexpr uint64_t rows = 20'000;
  std::vector<double> sums(tokens);
  for (uint64_t row = 0; row < rows; ++row) {
    const auto positions = train(indexing, tokens, 47, row);
    for (size_t i = 0; i < tokens; ++i) sums[i] += static_cast<double>(positions[i]) / 1000;
  }
  for (size_t i = 0; i < tokens; ++i) {
    const double mean = static_cast<double>(i + 1) / (drawn + 1);
    EXPECT_NEAR(sums[i] / rows, mean, 5 * std::sqrt(mean * (1 - mean) / (drawn + 2) / rows)) << i;
  }
}

TEST(RandomFloat, DrawsOverTheSequenceOrTheWindow) {
  expect_order_statistics(*make("random_float", "draw = 'sequence'"), 20, 20);
  expect_order_statistics(*make("random_float", "draw = 'window'"), 20, 47);
}

// Zhu et al. 2023: of n tokens, the first 1 .. (n + 1) / 2 keep their positions. The rest moves by 0 .. target - n. All
// choices are equally likely. Five standard deviations for 21 values: false alarm below 2e-5, with fixed seeds.
TEST(Pose, SkipsOnceByARandomGap) {
  const auto indexing = make("pose", "target = 30");
  constexpr uint64_t rows = 20'000;
  std::vector<double> shifts(11), firsts(11);
  for (uint64_t row = 0; row < rows; ++row) {
    const auto positions = train(*indexing, 20, 47, row);
    size_t first = 0;
    while (first < 20 && positions[first] == static_cast<float>(first)) ++first;
    const auto shift = static_cast<size_t>(positions[19]) - 19;
    for (size_t i = first; i < 20; ++i) ASSERT_EQ(positions[i], static_cast<float>(i + shift));
    shifts.at(shift) += 1;
    if (shift > 0) firsts.at(first) += 1;
  }
  const auto expect = [](double count, double total, double share) {
    EXPECT_NEAR(count / total, share, 5 * std::sqrt(share * (1 - share) / total));
  };
  for (const double count : shifts) expect(count, rows, 1.0 / 11);
  EXPECT_EQ(firsts[0], 0);
  for (size_t first = 1; first <= 10; ++first) expect(firsts[first], rows - shifts[0], 0.1);
  EXPECT_EQ(infer(*indexing, 40, 47, 40)[39], 39);
  EXPECT_THROW(train(*indexing, 31, 47), Error);
}

// Each integer of 1 .. L is chosen with probability n / L, and rows are independent. Five standard deviations for 64
// values: false alarm below 4e-5, with fixed seeds.
TEST(RandomInteger, TakesEveryIntegerEquallyOften) {
  const auto indexing = make("random_integer", "range = 64");
  constexpr uint64_t rows = 20'000;
  std::vector<double> counts(65);
  for (uint64_t row = 0; row < rows; ++row) {
    for (const float p : train(*indexing, 16, 47, row)) {
      ASSERT_EQ(p, std::floor(p));
      counts.at(static_cast<size_t>(p)) += 1;
    }
  }
  EXPECT_EQ(counts[0], 0);
  for (size_t v = 1; v <= 64; ++v) EXPECT_NEAR(counts[v] / rows, 0.25, 5 * std::sqrt(0.25 * 0.75 / rows)) << v;
}

// Kiyono et al. 2021: one offset per row, each of 0 .. K equally likely. Five standard deviations over 11 values.
TEST(Shape, StartsAnywhereUpToItsLargestOffset) {
  const auto indexing = make("shape", "largest_offset = 10");
  constexpr uint64_t rows = 20'000;
  std::vector<double> starts(11);
  for (uint64_t row = 0; row < rows; ++row) {
    const auto positions = train(*indexing, 5, 47, row);
    for (size_t i = 0; i < 5; ++i) ASSERT_EQ(positions[i], positions[0] + static_cast<float>(i));
    starts.at(static_cast<size_t>(positions[0])) += 1;
  }
  for (const double count : starts) EXPECT_NEAR(count / rows, 1.0 / 11, 5 * std::sqrt(1.0 / 11 * 10.0 / 11 / rows));
  EXPECT_EQ(infer(*indexing, 3, 47, 3), (std::vector<float>{10, 11, 12}));
  EXPECT_EQ(infer(*make("shape", "inference = 'zero'"), 3, 47, 3), (std::vector<float>{0, 1, 2}));
}

// Likhomanenko et al. 2021: (i + D + e_i) exp(u). Without two of the three, the third is uniform in its interval.
TEST(Cape, ShiftsScalesAndJitters) {
  const auto uniform = [](double low, double high) {
    return [=](double value) { return std::clamp((value - low) / (high - low), 0.0, 1.0); };
  };
  const auto expect_uniform = [](std::vector<double> values, const std::function<double(double)>& distribution) {
    std::sort(values.begin(), values.end());
    const double n = static_cast<double>(values.size());
    double largest = 0;
    for (size_t i = 0; i < values.size(); ++i) {
      largest = std::max(largest, std::abs(distribution(values[i]) - static_cast<double>(i) / n));
    }
    EXPECT_LT(std::sqrt(n) * largest, std::sqrt(std::log(2 / 1e-6) / 2));
  };
  const auto shift = make("cape", "jitter = 0.0\nscale = 1.0"), scale = make("cape", "jitter = 0.0\nshift = 0.0");
  const auto jitter = make("cape", "jitter = 0.5\nshift = 0.0\nscale = 1.0");
  std::vector<double> shifts, factors, jitters;
  for (uint64_t row = 0; row < 5000; ++row) {
    const auto shifted = train(*shift, 4, 47, row), scaled = train(*scale, 4, 47, row);
    for (size_t i = 0; i < 4; ++i) {
      EXPECT_NEAR(shifted[i] - shifted[0], static_cast<double>(i), 1e-6);
      EXPECT_NEAR(scaled[i], scaled[1] * static_cast<double>(i), 1e-6);
    }
    shifts.push_back(static_cast<double>(shifted[0]));
    factors.push_back(std::log(static_cast<double>(scaled[1])));
    jitters.push_back(static_cast<double>(train(*jitter, 4, 47, row)[2]) - 2);
  }
  expect_uniform(shifts, uniform(-5, 5));
  expect_uniform(factors, uniform(-std::log(1.03), std::log(1.03)));
  expect_uniform(jitters, uniform(-0.5, 0.5));
  EXPECT_EQ(infer(*make("cape"), 3, 47, 3), (std::vector<float>{0, 1, 2}));
}

// Gaps from Gamma(a): the i-th of n positions is Beta(a i, a (n + 1 - i)), of mean m = i / (n + 1) and variance
// m (1 - m) / (a (n + 1) + 1). Five standard deviations; the variance's own is about its size times sqrt(2 / rows).
TEST(RandomFloat, GapsFollowAGammaDistribution) {
  constexpr uint64_t rows = 20'000;
  constexpr size_t tokens = 9;
  for (const double shape : {0.3, 2.0, 25.0}) {
    const auto indexing = make("random_float", "range = 1.0\ngap_shape = " + std::to_string(shape));
    std::vector<double> sums(tokens), squares(tokens);
    for (uint64_t row = 0; row < rows; ++row) {
      const auto positions = train(*indexing, tokens, 47, row);
      for (size_t i = 0; i < tokens; ++i) {
        const double off = static_cast<double>(positions[i]) - static_cast<double>(i + 1) / 10;
        sums[i] += off;
        squares[i] += off * off;
      }
    }
    for (size_t i = 0; i < tokens; ++i) {
      const double mean = static_cast<double>(i + 1) / 10, variance = mean * (1 - mean) / (10 * shape + 1);
      EXPECT_NEAR(sums[i] / rows, 0, 5 * std::sqrt(variance / rows)) << shape << " " << i;
      EXPECT_NEAR(squares[i] / rows / variance, 1, 10 * std::sqrt(2.0 / rows)) << shape << " " << i;
    }
  }
  EXPECT_FALSE(make("random_float", "gap_shape = 2.0")->train_draw());
  EXPECT_TRUE(make("random_float")->train_draw());
}

// A row covers [o, o + s) of the range: s uniform in [.3, 1), o uniform in [0, 1 - s). Of many tokens the first and the
// last lie near the two ends.
TEST(RandomFloat, CoversARandomSubRange) {
  constexpr uint64_t rows = 4000;
  constexpr size_t tokens = 2000;
  const auto indexing = make("random_float", "range = 1.0\nsmallest_share = 0.3");
  double share_sum = 0, start_sum = 0;
  for (uint64_t row = 0; row < rows; ++row) {
    const auto positions = train(*indexing, tokens, 47, row);
    const double share = static_cast<double>(positions.back()) - static_cast<double>(positions.front());
    ASSERT_GT(share, 0.29);
    ASSERT_LT(positions.back(), 1);
    share_sum += share;
    start_sum += static_cast<double>(positions.front()) / (1.0005 - share);
  }
  EXPECT_NEAR(share_sum / rows, 0.65, 5 * 0.7 / std::sqrt(12.0 * rows) + 0.001);
  EXPECT_NEAR(start_sum / rows, 0.5, 5 / std::sqrt(12.0 * rows) + 0.01);
  EXPECT_EQ(infer(*indexing, 5, 47, 60), infer(*make("random_float", "range = 1.0"), 5, 47, 60));
  EXPECT_FALSE(indexing->train_draw());
}

TEST(RandomInteger, IsEvenAtInferenceWhereAsked) {
  const auto indexing = make("random_integer", "inference = 'even'");
  for (const auto& [trained, input] : std::vector<std::pair<int64_t, int64_t>>{{47, 10}, {47, 90}, {47, 512}}) {
    const auto positions = infer(*indexing, static_cast<size_t>(input), trained, input);
    for (int64_t i = 1; i <= input; ++i) {
      const double exact =
          std::floor(512.0 * static_cast<double>(2 * i - 1) / static_cast<double>(2 * std::max(trained, input))) + 1;
      EXPECT_EQ(positions[static_cast<size_t>(i - 1)], static_cast<float>(exact));
    }
  }
}

}  // namespace
}  // namespace rfs
