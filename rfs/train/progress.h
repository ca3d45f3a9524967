#pragma once

#include <cstdint>
#include <optional>

namespace rfs {

/// What a training run reports while it runs.
struct Progress {
  int64_t step = 0, steps = 0;
  double loss = 0;  ///< mean since the last line in metrics.jsonl
  double learning_rate = 0;
  double tokens_per_second = 0;
  double seconds_left = 0;
  std::optional<double> validation;  ///< the last validation result
  bool validates_loss = false;       ///< the validation result is a mean loss, not a share of correct answers
};

}  // namespace rfs
