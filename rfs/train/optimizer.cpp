#include "rfs/train/optimizer.h"

#include <ATen/ops/_fused_adamw.h>

#include <cmath>

namespace rfs {

Optimizer::Optimizer(Parameters& parameters, const TrainOptions& options)
    : parameters_(parameters),
      options_(options),
      first_(torch::zeros_like(parameters.flat())),
      second_(torch::zeros_like(parameters.flat())) {}

double Optimizer::update(double learning_rate) {
  const torch::NoGradGuard no_gradient;
  const torch::Tensor &flat = parameters_.flat(), &gradient = parameters_.gradient();
  const double norm = gradient.norm().item<double>();
  if (!std::isfinite(norm)) return norm;
  if (const double factor = options_.clip / (norm + 1e-6); factor < 1) gradient.mul_(factor);
  ++updates_;
  const auto step = torch::tensor(static_cast<double>(updates_), torch::kFloat32).to(flat.device());
  const auto range = [&](int64_t begin, int64_t end, double decay) {
    if (begin == end) return;
    const auto part = [&](const torch::Tensor& x) { return x.narrow(0, begin, end - begin); };
    at::_fused_adamw_({part(flat)}, {part(gradient)}, {part(first_)}, {part(second_)}, {}, {step}, learning_rate,
                      options_.beta1, options_.beta2, decay, options_.epsilon, /*amsgrad=*/false, /*maximize=*/false);
  };
  range(0, parameters_.decayed(), options_.weight_decay);
  range(parameters_.decayed(), parameters_.size(), 0);
  gradient.zero_();
  return norm;
}

void Optimizer::restore(const torch::Tensor& first, const torch::Tensor& second, int64_t updates) {
  TORCH_CHECK(first.sizes() == first_.sizes() && second.sizes() == second_.sizes(), "optimizer: state of another size");
  first_.copy_(first);
  second_.copy_(second);
  updates_ = updates;
}

}  // namespace rfs
