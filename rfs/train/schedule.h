#pragma once

#include "rfs/train/options.h"

namespace rfs {

/// Learning rate of update `step` (0-based). It rises linearly from 0 to the peak during warm-up, then falls linearly
/// to 0 at the end. The first update has a rate above zero.
double learning_rate(const TrainOptions& options, int64_t step);

}  // namespace rfs
