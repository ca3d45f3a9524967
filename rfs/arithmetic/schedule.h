#pragma once

#include <cstdint>

#include "rfs/arithmetic/both.h"

namespace rfs {

/// Learning rate with linear warm-up to `highest` and linear decay to zero; `step` counts from 0.
RFS_BOTH double scheduled_rate(double highest, int64_t warmup, int64_t steps, int64_t step) {
  const double at = static_cast<double>(step), rising = static_cast<double>(warmup), all = static_cast<double>(steps);
  if (step < warmup) return highest * (at + 1) / rising;
  const double falling = all - rising;
  return highest * (all - at) / (falling > 1.0 ? falling : 1.0);
}

/// The factor that scales a gradient of norm `norm` to a norm of at most `most`.
RFS_BOTH double clip_factor(double most, double norm) {
  const double factor = most / (norm + 1e-6);
  return factor < 1.0 ? factor : 1.0;
}

}  // namespace rfs
