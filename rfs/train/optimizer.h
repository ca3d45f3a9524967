#pragma once

#include <torch/types.h>

#include "rfs/model/parameters.h"
#include "rfs/train/options.h"

namespace rfs {

/// AdamW over the flat buffer, after clipping the gradient to a norm. Weight decay acts on matrices alone.
class Optimizer {
 public:
  Optimizer(Parameters& parameters, const TrainOptions& options);

  /// Clips, updates, clears the gradient; returns the gradient's norm before clipping. Changes nothing where that is
  /// not finite.
  double update(double learning_rate);

  int64_t updates() const { return updates_; }
  const torch::Tensor& first_moment() const { return first_; }
  const torch::Tensor& second_moment() const { return second_; }
  void restore(const torch::Tensor& first, const torch::Tensor& second, int64_t updates);

 private:
  Parameters& parameters_;
  TrainOptions options_;
  torch::Tensor first_, second_;
  int64_t updates_ = 0;
};

}  // namespace rfs
