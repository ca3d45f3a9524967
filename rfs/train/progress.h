#pragma once

#include <cstdint>
#include <optional>

namespace rfs {

/// What a training run tells while it goes on.
struct Progress {
  int64_t step = 0, steps = 0;
  double loss = 0;  ///< mean since the last line of metrics
  double learning_rate = 0;
  double tokens_per_second = 0;
  double seconds_left = 0;
  std::optional<double> validation;  ///< the last one measured
  bool validates_loss = false;       ///< what is measured is a mean loss, not a share
};

}  // namespace rfs
