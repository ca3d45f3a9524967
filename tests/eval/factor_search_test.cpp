#include "rfs/eval/factor_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace rfs {
namespace {

/// Smallest at 1.5, 2, 2.5, ...
double distance(const std::vector<double>& factors) {
  double sum = 0;
  for (size_t i = 0; i < factors.size(); ++i) sum += std::abs(factors[i] - (1.5 + 0.5 * static_cast<double>(i)));
  return sum;
}

TEST(FactorSearch, FindsTheSmallestLoss) {
  const FactorSearch search;
  const auto found = search_factors(search, {std::vector<double>(6, 4.0), {1, 1.3, 1.7, 2.3, 3, 4}}, distance);
  EXPECT_LT(found.loss, 0.3);  // the better start has 1.9
  EXPECT_EQ(found.loss, distance(found.factors));
}

TEST(FactorSearch, FactorsAreMultiplesOfTheStepWithinBoundsAndNeverFall) {
  FactorSearch search;
  search.extension = 2;
  search.rounds = 5;
  int64_t calls = 0;
  search_factors(search, {{3, 2, 1, 5}}, [&](const std::vector<double>& factors) {
    ++calls;
    EXPECT_TRUE(std::is_sorted(factors.begin(), factors.end()));
    for (const double factor : factors) {
      EXPECT_GE(factor, 1);
      EXPECT_LE(factor, 2.5 + 1e-9);
      EXPECT_NEAR(std::remainder(factor - 1, search.step), 0, 1e-9);
    }
    return distance(factors);
  });
  EXPECT_EQ(calls, search.evaluations());
}

TEST(FactorSearch, NeverLosesToItsStarts) {
  FactorSearch search;
  search.rounds = 1;
  const std::vector<double> start = {1.5, 2, 2.5};
  EXPECT_EQ(search_factors(search, {start, {4, 4, 4}}, distance).factors, start);
}

TEST(FactorSearch, NaNIsWorseThanAnyLoss) {
  FactorSearch search;
  search.rounds = 5;
  int64_t calls = 0;
  const auto found = search_factors(search, {{1, 2, 4}}, [&](const std::vector<double>& factors) {
    return calls++ % 3 == 2 ? distance(factors) : std::nan("");
  });
  EXPECT_EQ(found.loss, distance(found.factors));
  EXPECT_LT(found.loss, 1);
}

TEST(FactorSearch, RepeatsItself) {
  FactorSearch search;
  search.rounds = 3;
  std::vector<double> losses;
  const auto first = search_factors(search, {{1, 2, 4}}, [&](const std::vector<double>& factors) {
    losses.push_back(distance(factors));
    return losses.back();
  });
  size_t next = 0;
  const auto again = search_factors(search, {{1, 2, 4}}, [&](const std::vector<double>&) { return losses[next++]; });
  EXPECT_EQ(first.factors, again.factors);
  search.seed = 2;
  EXPECT_NE(search_factors(search, {{1, 2, 4}}, distance).factors, first.factors);
}

}  // namespace
}  // namespace rfs
