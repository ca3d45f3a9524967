#pragma once

#include "rfs/model/decoder.h"
#include "rfs/model/safetensors.h"
#include "rfs/positions/indexing.h"
#include "rfs/tasks/examples.h"
#include "rfs/train/optimizer.h"
#include "rfs/train/options.h"
#include "rfs/train/order.h"

namespace rfs {

/// One training run's moving parts. All randomness is a function of the seed and of the number of updates made, so
/// weights, moments and that number are the whole state.
class Trainer {
 public:
  struct Step {
    double loss = 0, learning_rate = 0, gradient_norm = 0;
    int64_t tokens = 0;
  };

  /// `trained_length` is n_tr, at least the longest example.
  Trainer(Decoder& decoder, const PositionIndexing& indexing, const Examples& examples, int64_t trained_length,
          const TrainOptions& options);

  /// One update. Throws Error where the loss is not finite.
  Step step();
  int64_t updates() const { return optimizer_.updates(); }

  /// The batch of update `update`, and its dropout.
  Batch batch(int64_t update);
  Dropout dropout(int64_t update) const;

  TensorFile state() const;
  /// Throws Error where the state is not of this run; `where` names it.
  void restore(const TensorFile& state, const std::string& where);

 private:
  Decoder& decoder_;
  const PositionIndexing& indexing_;
  const Examples& examples_;
  int64_t trained_length_;
  TrainOptions options_;
  uint64_t seed_;
  Order order_;
  Optimizer optimizer_;
};

}  // namespace rfs
