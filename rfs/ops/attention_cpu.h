#pragma once

#include "rfs/ops/attention.h"

namespace rfs {

/// The fused CPU version of `attention`: float32 or float64 on the CPU.
torch::Tensor attention_cpu(const torch::Tensor& qkv_NK, const AttentionPlan& plan, uint32_t site);

}  // namespace rfs
