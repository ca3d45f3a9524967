#pragma once

#include <torch/types.h>

#include "rfs/ops/backend.h"

namespace rfs {

/// x / sqrt(mean(x^2) + epsilon) * weight over the last dim (RMSNorm: scale only, nothing subtracted).
/// Gradients flow to x and weight.
torch::Tensor rms_norm(const torch::Tensor& x_ND, const torch::Tensor& weight_D, double epsilon,
                       Backend backend = Backend::automatic);

}  // namespace rfs
