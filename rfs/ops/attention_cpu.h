#pragma once

#include <tuple>

#include "rfs/ops/attention.h"

namespace rfs {

/// The fused CPU version of `attention`: float32 or float64 on the CPU.
torch::Tensor attention_cpu(const torch::Tensor& qkv_NK, const AttentionPlan& plan, uint32_t site,
                            const torch::Tensor& bias_HR);

/// Its two passes, which record no gradient. Forward gives the result and what the backward pass needs: each query's
/// logarithm of the sum of exponentials [N, H].
std::tuple<torch::Tensor, torch::Tensor> attention_cpu_forward(const torch::Tensor& qkv_NK, const AttentionPlan& plan,
                                                               uint32_t site, const torch::Tensor& bias_HR = {});
/// The gradients of qkv and of the bias, which is undefined where there is no bias.
std::tuple<torch::Tensor, torch::Tensor> attention_cpu_backward(const torch::Tensor& qkv_NK, const AttentionPlan& plan,
                                                                uint32_t site, const torch::Tensor& out,
                                                                const torch::Tensor& log_sum_NH,
                                                                const torch::Tensor& d_out,
                                                                const torch::Tensor& bias_HR = {});

}  // namespace rfs
