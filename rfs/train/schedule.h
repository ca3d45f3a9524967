#pragma once

#include "rfs/train/options.h"

namespace rfs {

/// Learning rate of update `step` (0-based): linear from 0 to the highest over the warm-up, then linear down to 0 at
/// the end. The first update has a rate above zero.
double learning_rate(const TrainOptions& options, int64_t step);

}  // namespace rfs
