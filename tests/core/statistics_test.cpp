// Tests and intervals against published tables.

#include "rfs/core/statistics.h"

#include <gtest/gtest.h>

namespace rfs {
namespace {

TEST(Statistics, StudentHasItsTable) {
  EXPECT_NEAR(student_quantile(1), 12.706, 1e-3);
  EXPECT_NEAR(student_quantile(2), 4.303, 1e-3);
  EXPECT_NEAR(student_quantile(4), 2.776, 1e-3);
  EXPECT_NEAR(student_quantile(30), 2.042, 1e-3);
  EXPECT_NEAR(student_quantile(9, 0.01), 3.250, 1e-3);
  EXPECT_NEAR(student_p(1, 1), 0.5, 1e-12);
  EXPECT_NEAR(student_p(-2, 10), 0.073388, 1e-6);
  EXPECT_NEAR(student_p(0, 5), 1, 1e-12);
  EXPECT_NEAR(student_p(1.959964, 1e7), 0.05, 1e-6);
}

TEST(Statistics, NormalHasItsTable) {
  EXPECT_NEAR(normal_p(1.959964), 0.05, 1e-7);
  EXPECT_NEAR(normal_p(-2.575829), 0.01, 1e-7);
}

TEST(Statistics, HolmIsHolms) {
  const auto corrected = holm({0.01, 0.04, 0.03, 0.005});
  const std::vector<double> expected = {0.03, 0.06, 0.06, 0.02};
  for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(corrected[i], expected[i], 1e-12) << i;
  EXPECT_EQ(holm({0.9, 0.8}), (std::vector<double>{1, 1}));
  EXPECT_TRUE(holm({}).empty());
}

}  // namespace
}  // namespace rfs
