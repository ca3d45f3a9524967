#pragma once

#include <tuple>

#include "rfs/ops/attention.h"

namespace rfs {

/// The fused CPU version of `attention`: float32 or float64 on the CPU.
torch::Tensor attention_cpu(const torch::Tensor& qkv_NK, const AttentionPlan& plan, uint32_t site,
                            const torch::Tensor& bias_HR);

/// The two passes of `attention_cpu`, without autograd. The forward pass returns the result and each query's
/// log-sum-exp [N, H], which the backward pass needs.
std::tuple<torch::Tensor, torch::Tensor> attention_cpu_forward(const torch::Tensor& qkv_NK, const AttentionPlan& plan,
                                                               uint32_t site, const torch::Tensor& bias_HR = {});
/// Returns the gradients of qkv and of the bias. The latter is undefined if there is no bias.
std::tuple<torch::Tensor, torch::Tensor> attention_cpu_backward(const torch::Tensor& qkv_NK, const AttentionPlan& plan,
                                                                uint32_t site, const torch::Tensor& out,
                                                                const torch::Tensor& log_sum_NH,
                                                                const torch::Tensor& d_out,
                                                                const torch::Tensor& bias_HR = {});

}  // namespace rfs
