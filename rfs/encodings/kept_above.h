#pragma once

#include <torch/types.h>

namespace rfs {

/// max(x, least) with the gradient of x. The gradient of clamp_min is zero below `least`, so a parameter that fell
/// below it would never change again. KERPLE's public code raises the stored parameter instead and also keeps the
/// gradient.
inline torch::Tensor kept_above(const torch::Tensor& x, double least) {
  return x + (x.detach().clamp_min(least) - x.detach());
}

}  // namespace rfs
