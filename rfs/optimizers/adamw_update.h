#pragma once

#include <torch/types.h>

#include "rfs/optimizers/optimizer_rule.h"

namespace rfs {

/// AdamW (Loshchilov and Hutter 2019) on elements [begin, end) of flat tensors.
void adamw_update(int64_t begin, int64_t end, double weight_decay, const UpdateStep& step, const torch::Tensor& weights,
                  const torch::Tensor& gradient, const torch::Tensor& first, const torch::Tensor& second);

}  // namespace rfs
