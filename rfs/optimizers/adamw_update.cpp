#include "rfs/optimizers/adamw_update.h"

#include <ATen/ops/_fused_adamw.h>

namespace rfs {

void adamw_update(int64_t begin, int64_t end, double weight_decay, const UpdateStep& step, const torch::Tensor& weights,
                  const torch::Tensor& gradient, const torch::Tensor& first, const torch::Tensor& second) {
  if (begin == end) return;
  const auto number = torch::tensor(static_cast<double>(step.number), torch::kFloat32).to(weights.device());
  const auto part = [&](const torch::Tensor& x) { return x.narrow(0, begin, end - begin); };
  at::_fused_adamw_({part(weights)}, {part(gradient)}, {part(first)}, {part(second)}, {}, {number}, step.learning_rate,
                    step.beta1, step.beta2, weight_decay, step.epsilon, /*amsgrad=*/false, /*maximize=*/false);
}

}  // namespace rfs
