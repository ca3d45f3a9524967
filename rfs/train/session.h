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
  std::function<bool()> stop = [] { return false; };  ///< asked after each stride
  /// What is measured on validation data: the share that the model gets right, or its mean loss; empty where nothing
  /// is.
  std::function<double(const Predictor&)> validate;
  bool validates_loss = false;  ///< less is better
  /// Whether a checkpoint that was written under these settings (TOML) is of the run; empty: the text must be the
  /// run's.
  std::function<bool(const std::string& stored)> same_settings;
  /// Those that the trainer shares its updates with. The run stops where any of them is to.
  const Ranks* ranks = &Ranks::alone();
};

/// Trains to the end, or until `stop`: then it leaves a checkpoint and returns nothing. Goes on from the run's
/// checkpoint where there is one, to the same bits as if it had never stopped, at whatever moment that was. At the end
/// the folder holds metrics.jsonl and model.safetensors (of the last update or the best, as options.checkpoint says),
/// `decoder` has the same weights, and the caller writes the returned record; until then checkpoint and best weights
/// stay.
///
/// Throws Error that names the last good checkpoint where a file cannot be written, where loss or gradient are not
/// finite, or where the mean loss of a line of metrics is above 10 + 10 times the lowest one so far.
std::optional<TrainRecord> train(const Run& run, Decoder& decoder, Trainer& trainer, const TrainOptions& options,
                                 int64_t trained_length, const TrainHooks& hooks);

/// What the other ranks do while the first one trains: the same updates from the same checkpoint, with nothing told and
/// nothing written. Returns false when all were stopped. Throws Error where the run's folder is not the same for all.
bool follow(const Run& run, Trainer& trainer, const TrainOptions& options, const TrainHooks& hooks);

}  // namespace rfs
