#include "rfs/train/schedule.h"

#include <algorithm>

namespace rfs {

double learning_rate(const TrainOptions& options, int64_t step) {
  const auto at = static_cast<double>(step), warmup = static_cast<double>(*options.warmup);
  const auto steps = static_cast<double>(*options.steps);
  if (at < warmup) return options.learning_rate * (at + 1) / warmup;
  return options.learning_rate * (steps - at) / std::max(1.0, steps - warmup);
}

}  // namespace rfs
