#pragma once

#include <torch/types.h>

#include "rfs/ops/backend.h"

namespace rfs {

/// RMSNorm: x / sqrt(mean(x^2) + epsilon) * weight over the last dim, with no mean subtracted. Gradients flow to both.
torch::Tensor rms_norm(const torch::Tensor& x_ND, const torch::Tensor& weight_D, double epsilon,
                       Backend backend = Backend::automatic);

}  // namespace rfs
