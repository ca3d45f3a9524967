#pragma once

#include <cstdint>

namespace rfs {

struct Interval {
  double low, high;
};

/// Wilson score interval for the proportion `correct` / `total` at z standard deviations (1.96: 95 %). [0, 1] if there
/// are no samples.
Interval wilson(int64_t correct, int64_t total, double z = 1.959963984540054);

}  // namespace rfs
