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

/// What a run has counted so far, besides the trainer's state.
struct Totals {
  int64_t tokens = 0;
  double seconds = 0;
  double loss_sum = 0;  ///< since the last line of metrics
  int64_t loss_count = 0;
  double lowest_loss = std::numeric_limits<double>::infinity();  ///< of the lines of metrics
  double best_validation = -1;
  int64_t best_step = 0;  ///< the last update that reached it; 0 where nothing was measured
};

/// checkpoint.safetensors and best.safetensors in a run's folder. They are written in a thread of its own while
/// training goes on, one after the other, and an old one stays until the new one is whole and on disk.
class Checkpoints {
 public:
  /// Whether settings (TOML) that a file was written under are those of the run.
  using SameSettings = std::function<bool(const std::string& stored)>;

  /// Without `same_settings` the text must be that of the run's settings.toml.
  explicit Checkpoints(const Run& run, SameSettings same_settings = {})
      : run_(run), same_settings_(std::move(same_settings)) {}

  /// Restores trainer and totals from the checkpoint, where there is one. `best`: the best weights must be there too.
  /// Throws Error where either is not of this run.
  void restore(Trainer& trainer, Totals& totals, bool best);

  /// Begins to write the trainer's state of this moment (`whole`), its weights as the best ones (`best`), or both.
  /// Waits for the write before. Throws Error where that failed.
  void save(Trainer& trainer, const Totals& totals, bool whole, bool best);
  /// Throws Error where the last write failed; `wait` for it, or only look whether it is done.
  void wait();
  void look();

  /// The best weights. Throws Error where the file is not of this run and of update `step`.
  TensorFile best(int64_t step) const;
  /// Waits, and says in words what is left: "the last good checkpoint is of step 40".
  std::string last_good();

 private:
  /// Reads a file of the run. Throws Error where it is of another format or of other settings.
  TensorFile read_own(const std::string& name, const std::string& format) const;

  const Run& run_;
  SameSettings same_settings_;
  std::atomic<int64_t> written_ = 0;  // the step of the checkpoint on disk, 0 where there is none
  std::future<void> writing_;         // waits when it is destroyed
};

}  // namespace rfs
