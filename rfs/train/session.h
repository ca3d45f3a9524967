#pragma once

#include <functional>
#include <optional>

#include "rfs/model/decoder.h"
#include "rfs/records/run.h"
#include "rfs/train/options.h"
#include "rfs/train/progress.h"
#include "rfs/train/ranks.h"
#include "rfs/train/trainer.h"

namespace rfs {

struct TrainHooks {
  std::function<void(const Progress&)> progress = [](const Progress&) {};
  std::function<bool()> stop = [] { return false; };  ///< called after every poll interval
  /// Measures the model on validation data: its share of correct answers, or its mean loss. Empty if nothing is
  /// validated.
  std::function<double(const Predictor&)> validate;
  bool validates_loss = false;  ///< the validation result is a loss: lower is better
  /// Returns true if a checkpoint with these settings (TOML) belongs to the run. If empty, the stored text must equal
  /// the run's.
  std::function<bool(const std::string& stored)> same_settings;
  /// The ranks that share the updates. The run stops if `stop` returns true on any of them.
  const Ranks* ranks = &Ranks::alone();
};

/// Trains to the end, or until `stop` returns true. In the latter case it writes a checkpoint and returns nothing. It
/// resumes from the run's checkpoint, if any; the result is bit-identical to a run without interruption. At the end,
/// the folder holds metrics.jsonl and model.safetensors (of the last or the best update, as options.checkpoint says),
/// and `decoder` has the same weights. The caller then writes the returned record. Until that is done, the checkpoint
/// and the best weights stay.
///
/// Throws an Error that names the last good checkpoint if a file cannot be written, if the loss or gradient is not
/// finite, or if the mean loss in a line of metrics exceeds 10 + 10 times the lowest one so far.
std::optional<TrainRecord> train(const Run& run, Decoder& decoder, Trainer& trainer, const TrainOptions& options,
                                 int64_t trained_length, const TrainHooks& hooks);

/// What ranks other than 0 do while rank 0 trains: the same updates from the same checkpoint, without output and
/// without writing. Returns false if the run was stopped. Throws Error if the ranks do not share the run's folder.
bool follow(const Run& run, Trainer& trainer, const TrainOptions& options, const TrainHooks& hooks);

}  // namespace rfs
