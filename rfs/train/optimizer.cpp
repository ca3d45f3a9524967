#include "rfs/train/optimizer.h"

#include <cmath>

#include "rfs/arithmetic/schedule.h"

namespace rfs {

Optimizer::Optimizer(Parameters& parameters, const TrainOptions& options, std::shared_ptr<const OptimizerRule> rule)
    : parameters_(parameters), options_(options), rule_(std::move(rule)) {
  for (size_t i = 0; i < rule_->state_names().size(); ++i) state_.push_back(torch::zeros_like(parameters.flat()));
}

double Optimizer::update(double learning_rate) {
  const torch::NoGradGuard no_gradient;
  const torch::Tensor& gradient = parameters_.gradient();
  const double norm = gradient.norm().item<double>();
  if (!std::isfinite(norm)) return norm;
  if (const double factor = clip_factor(options_.clip, norm); factor < 1) gradient.mul_(factor);
  ++updates_;
  rule_->update(parameters_, state_,
                {updates_, learning_rate, options_.weight_decay, options_.beta1, options_.beta2, options_.epsilon});
  gradient.zero_();
  return norm;
}

TrainState Optimizer::state() const {
  const torch::NoGradGuard no_gradient;
  const auto copy = [](const torch::Tensor& x) { return x.to(torch::kCPU, x.scalar_type(), false, /*copy=*/true); };
  TrainState state{copy(parameters_.flat()), {}, updates_};
  const auto names = rule_->state_names();
  for (size_t i = 0; i < names.size(); ++i) state.optimizer.emplace_back(names[i], copy(state_[i]));
  return state;
}

void Optimizer::restore(const TrainState& state) {
  const torch::NoGradGuard no_gradient;
  TORCH_CHECK(state.optimizer.size() == state_.size(), "optimizer: the state belongs to another optimizer");
  parameters_.flat().copy_(state.weights);
  for (size_t i = 0; i < state_.size(); ++i) state_[i].copy_(state.optimizer[i].second);
  updates_ = state.updates;
}

}  // namespace rfs
