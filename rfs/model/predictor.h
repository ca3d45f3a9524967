#pragma once

#include <torch/types.h>

#include "rfs/model/batch.h"

namespace rfs {

/// What evaluation needs from a model, on any device.
class Predictor {
 public:
  virtual ~Predictor() = default;

  /// The most likely next token after each token in the batch's predict_M: [M] int64, on the CPU.
  virtual torch::Tensor best(const Batch& batch) const = 0;
  /// Cross entropy of each of the batch's labels_M: [M] float32, on the CPU.
  virtual torch::Tensor losses(const Batch& batch) const = 0;
};

}  // namespace rfs
