#pragma once

#include <cstdint>

namespace rfs {

struct Interval {
  double low, high;
};

/// Wilson's score interval for a share of `correct` in `total` at z standard deviations (1.96: 95 %). [0, 1] for no
/// samples.
Interval wilson(int64_t correct, int64_t total, double z = 1.959963984540054);

}  // namespace rfs
