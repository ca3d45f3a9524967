#pragma once

#include <atomic>
#include <functional>
#include <future>
#include <limits>
#include <string>
#include <utility>

#include "rfs/records/run.h"
#include "rfs/train/trainer.h"

namespace rfs {

/// Running totals of a run, in addition to the trainer's state.
struct Totals {
  int64_t tokens = 0;
  double seconds = 0;
  double loss_sum = 0;  ///< since the last line in metrics.jsonl
  int64_t loss_count = 0;
  double lowest_loss = std::numeric_limits<double>::infinity();  ///< over the lines in metrics.jsonl
  double best_validation = -1;
  int64_t best_step = 0;  ///< the last update that reached it; 0 if nothing was validated yet
};

/// checkpoint.safetensors and best.safetensors in a run's folder. A background thread writes them while training
/// continues, one at a time. The old file stays until the new one is complete and on disk.
class Checkpoints {
 public:
  /// Returns true if `stored`, the settings (TOML) in a file, equal the run's settings.
  using SameSettings = std::function<bool(const std::string& stored)>;

  /// Without `same_settings`, the stored text must equal the run's settings.toml.
  explicit Checkpoints(const Run& run, SameSettings same_settings = {})
      : run_(run), same_settings_(std::move(same_settings)) {}

  /// Restores trainer and totals from the checkpoint, if any. With `best`, the best weights must exist, too. Throws
  /// Error if a file does not belong to this run.
  void restore(Trainer& trainer, Totals& totals, bool best);

  /// Starts to write the trainer's current state (`whole`), its weights as the best ones (`best`), or both. First waits
  /// for the previous write and throws Error if it failed.
  void save(Trainer& trainer, const Totals& totals, bool whole, bool best);
  /// Both throw Error if the last write failed. `wait` waits for it; `look` only checks whether it is done.
  void wait();
  void look();

  /// The best weights. Throws Error if the file does not belong to this run and to update `step`.
  TensorFile best(int64_t step) const;
  /// Waits, then describes what is on disk: "the last good checkpoint is of step 40".
  std::string last_good();

 private:
  /// Reads a file of the run. Throws Error if its format or settings differ.
  TensorFile read_own(const std::string& name, const std::string& format) const;

  const Run& run_;
  SameSettings same_settings_;
  std::atomic<int64_t> written_ = 0;  // step of the checkpoint on disk; 0 if there is none
  std::future<void> writing_;         // its destructor waits
};

}  // namespace rfs
