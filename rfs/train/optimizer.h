#pragma once

#include <torch/types.h>

#include "rfs/model/parameters.h"
#include "rfs/optimizers/optimizer_rule.h"
#include "rfs/train/options.h"
#include "rfs/train/state.h"

namespace rfs {

/// Applies an optimizer rule to parameters: clips the gradient norm, then makes the rule's update.
class Optimizer {
 public:
  Optimizer(Parameters& parameters, const TrainOptions& options,
            std::shared_ptr<const OptimizerRule> rule = OptimizerRule::adamw());

  /// Clips the gradient, updates the weights and clears the gradient. Returns the gradient norm before clipping.
  /// Changes nothing if it is not finite.
  double update(double learning_rate);

  int64_t updates() const { return updates_; }
  /// The optimizer's state, in the order of its names. A caller that updates the weights itself must call
  /// count_update().
  const std::vector<torch::Tensor>& tensors() const { return state_; }
  void count_update() { ++updates_; }
  const OptimizerRule& rule() const { return *rule_; }
  /// A copy of the weights, the optimizer state and the number of updates, on the CPU.
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
