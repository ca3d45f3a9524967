#pragma once

#include <cmath>
#include <cstdint>

#include "rfs/arithmetic/both.h"

namespace rfs {

/// An exponential number of mean 1 from a uniform one in [0, 1). It is never 0, so sums of them rise.
RFS_BOTH double exponential_of(double uniform) {
  return -log1p(-uniform) + 0x1p-60;
}

/// A sum of gaps as a share of all gaps, below 1 although a quotient may round up to it.
RFS_BOTH double share_of_gaps(double sum, double all) {
  const double share = sum / all;
  return share < 1 - 0x1p-53 ? share : 1 - 0x1p-53;
}

/// Selection sampling: whether one of `left` integers is chosen if `needed` of them must be.
RFS_BOTH bool is_chosen(double uniform, int64_t left, int64_t needed) {
  return uniform * static_cast<double>(left) < static_cast<double>(needed);
}

/// Rounds sorted values below `limit` to float32 so that they stay distinct and below the limit.
RFS_BOTH void round_distinct(const double* values, int64_t size, double limit, float* positions) {
  float previous = -INFINITY;
  for (int64_t i = 0; i < size; ++i) {
    const float rounded = static_cast<float>(values[i]);
    previous = positions[i] = rounded > previous ? rounded : nextafterf(previous, INFINITY);
  }
  // Values crowded at the top may have moved up to the limit: move them back below it.
  float next = static_cast<float>(limit);
  for (int64_t i = size - 1; i >= 0 && positions[i] >= next; --i) {
    next = positions[i] = nextafterf(next, -INFINITY);
  }
}

}  // namespace rfs
