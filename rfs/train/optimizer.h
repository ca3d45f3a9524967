#pragma once

#include <torch/types.h>

#include "rfs/model/parameters.h"
#include "rfs/optimizers/optimizer_rule.h"
#include "rfs/train/options.h"
#include "rfs/train/state.h"

namespace rfs {

/// An optimizer at work on some parameters: clips the gradient to a norm, then does what its rule says.
class Optimizer {
 public:
  Optimizer(Parameters& parameters, const TrainOptions& options,
            std::shared_ptr<const OptimizerRule> rule = OptimizerRule::adamw());

  /// Clips, updates, clears the gradient; returns the gradient's norm before clipping. Changes nothing where that is
  /// not finite.
  double update(double learning_rate);

  int64_t updates() const { return updates_; }
  /// What the rule remembers, in the order of its names. Whoever makes an update in its place counts it.
  const std::vector<torch::Tensor>& tensors() const { return state_; }
  void count_update() { ++updates_; }
  const OptimizerRule& rule() const { return *rule_; }
  /// A copy of weights, state and the number of updates, on the CPU.
  TrainState state() const;
  void restore(const TrainState& state);

 private:
  Parameters& parameters_;
  TrainOptions options_;
  std::shared_ptr<const OptimizerRule> rule_;
  std::vector<torch::Tensor> state_;
  int64_t updates_ = 0;
};

}  // namespace rfs
