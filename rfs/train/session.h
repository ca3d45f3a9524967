#pragma once

#include <functional>
#include <optional>

#include "rfs/core/run.h"
#include "rfs/train/trainer.h"

namespace rfs {

/// What a training run tells while it goes on.
struct Progress {
  int64_t step = 0, steps = 0;
  double loss = 0;  ///< mean since the last line of metrics
  double learning_rate = 0;
  double tokens_per_second = 0;
  double seconds_left = 0;
};

struct TrainHooks {
  std::function<void(const Progress&)> progress = [](const Progress&) {};
  std::function<bool()> stop = [] { return false; };  ///< asked after each update
};

/// Trains to the end, or until `stop`: then it leaves a checkpoint and returns nothing. Goes on from the run's
/// checkpoint where there is one, to the same bits as if it had never stopped. At the end the folder holds
/// metrics.jsonl and model.safetensors, and the caller writes the returned record.
std::optional<TrainRecord> train(const Run& run, Decoder& decoder, Trainer& trainer, const TrainOptions& options,
                                 int64_t trained_length, const TrainHooks& hooks);

}  // namespace rfs
