#include "rfs/train/schedule.h"

#include "rfs/arithmetic/schedule.h"

namespace rfs {

double learning_rate(const TrainOptions& options, int64_t step) {
  return scheduled_rate(options.learning_rate, options.warmup, options.steps, step);
}

}  // namespace rfs
