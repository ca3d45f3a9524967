#pragma once

#include <tuple>

#include "rfs/ops/attention.h"

namespace rfs {

/// The fused CPU version of `attention`: float32 or float64 on the CPU.
torch::Tensor attention_cpu(const torch::Tensor& qkv_NK, const AttentionPlan& plan, uint32_t site);

/// Its two passes, which record no gradient: the result and what the way back needs, each query's logarithm of the sum
/// of exponentials [N, H]; and the gradient of qkv.
std::tuple<torch::Tensor, torch::Tensor> attention_cpu_forward(const torch::Tensor& qkv_NK, const AttentionPlan& plan,
                                                               uint32_t site);
torch::Tensor attention_cpu_backward(const torch::Tensor& qkv_NK, const AttentionPlan& plan, uint32_t site,
                                     const torch::Tensor& out, const torch::Tensor& log_sum_NH,
                                     const torch::Tensor& d_out);

}  // namespace rfs
