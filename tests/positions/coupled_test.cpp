// Position coupling: which positions tokens of a group get.

#include <gtest/gtest.h>

#include <cmath>

#include "rfs/core/error.h"
#include "rfs/positions/indexing.h"

namespace rfs {
namespace {

std::unique_ptr<PositionIndexing> coupled(const std::string& keys) {
  const auto settings = Settings::from_text("[positions]\nuse = 'coupled'\n" + keys, "test");
  return Choice<PositionIndexing>::read(settings.find("positions"), "").make();
}

// Cho et al. 2024: tokens of a group share a position; groups are consecutive integers from a random start.
TEST(Coupled, GivesAGroupOnePosition) {
  const std::vector<int64_t> groups = {3, 2, 1, 0, 3, 2, 1, 0, 1, 2, 3, 4};
  const auto integers = coupled("range = 20.0"), floats = coupled("range = 20.0\ndraw = 'floats'");
  std::vector<float> positions(groups.size());
  std::vector<double> starts(16);
  constexpr uint64_t rows = 16'000;
  for (uint64_t row = 0; row < rows; ++row) {
    Stream stream(1, "test", row);
    integers->train_groups(stream, 47, groups, positions);
    const float start = positions[3];
    for (size_t i = 0; i < groups.size(); ++i) ASSERT_EQ(positions[i], start + static_cast<float>(groups[i]));
    starts.at(static_cast<size_t>(start)) += 1;
    floats->train_groups(stream, 47, groups, positions);
    for (size_t i = 0; i < groups.size(); ++i) {
      for (size_t j = 0; j < groups.size(); ++j) ASSERT_EQ(groups[i] < groups[j], positions[i] < positions[j]);
      ASSERT_TRUE(positions[i] >= 0 && positions[i] < 20);
    }
  }
  for (const double count : starts) EXPECT_NEAR(count / rows, 1.0 / 16, 5 * std::sqrt(1.0 / 16 * 15 / 16 / rows));

  Stream stream(1, "test");
  positions.resize(5);  // the first tokens of the row
  integers->infer_groups(stream, 47, groups, positions);
  EXPECT_EQ(positions, (std::vector<float>{3, 2, 1, 0, 3}));
  floats->infer_groups(stream, 47, groups, positions);
  EXPECT_EQ(positions, (std::vector<float>{14, 10, 6, 2, 14}));  // 20 (2g + 1) / 10
  coupled("range = 20.0\ndraw = 'floats'\ntrained_groups = 10")->infer_groups(stream, 47, groups, positions);
  EXPECT_EQ(positions, (std::vector<float>{7, 5, 3, 1, 7}));
  EXPECT_THROW(coupled("range = 4.0")->infer_groups(stream, 47, groups, positions), Error);
}

}  // namespace
}  // namespace rfs
