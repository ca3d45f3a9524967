#pragma once

#include <torch/types.h>

#include "rfs/model/batch.h"

namespace rfs {

/// What evaluation asks of a model, wherever it runs.
class Predictor {
 public:
  virtual ~Predictor() = default;

  /// The likeliest next token after each of the batch's predict_M: [M] int64, on the CPU.
  virtual torch::Tensor best(const Batch& batch) const = 0;
  /// Cross entropy of each of the batch's labels_M: [M] float32, on the CPU.
  virtual torch::Tensor losses(const Batch& batch) const = 0;
};

}  // namespace rfs
