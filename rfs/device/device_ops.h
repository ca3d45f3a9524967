#pragma once

#include <torch/types.h>

#include <memory>

#include "rfs/ops/attention.h"
#include "rfs/ops/device_rows.h"
#include "rfs/ops/feed_forward.h"

namespace rfs {

/// The rows of a pass on a GPU, and its dropout.
struct DevicePass {
  DeviceRows rows;
  DeviceDropout dropout;
  torch::Tensor memory;  ///< what the rows point into
};

/// The project's CUDA kernels as LibTorch operations with gradients, on LibTorch's current stream. T is the type of
/// activations and of what products read: float32, or bf16 with copies of the float32 weights. The residual stream,
/// norms, angles and sums are float32. Gradients of weights are added to their grad(), which must be there. Nothing
/// waits for the GPU or copies from the host, so that a pass can be captured into a graph.
class DeviceOps {
 public:
  /// `flat`: all weights, float32 on a GPU; those given below are views of it.
  DeviceOps(torch::Tensor flat, DType dtype);
  ~DeviceOps();

  /// Makes the copies that products read follow the weights.
  void round_weights();
  /// Those copies, flat; undefined where T is float32.
  const torch::Tensor& low_weights() const { return low_; }
  DType dtype() const { return dtype_; }
  torch::Dtype type() const { return dtype_ == DType::bf16 ? torch::kBFloat16 : torch::kFloat32; }

  /// [N, D] float32: rows of the table, plus waves where there are `frequencies` [D / 2] (float64), dropped.
  torch::Tensor embed(const DevicePass& pass, const torch::Tensor& tokens_N, const torch::Tensor& table_VD,
                      const torch::Tensor& positions_N, const torch::Tensor& frequencies, uint32_t site) const;
  /// RMSNorm, or LayerNorm with a bias, of float32 or T rows; gives T.
  torch::Tensor norm(const torch::Tensor& x_RD, const torch::Tensor& weight_D, const torch::Tensor& bias_D,
                     double epsilon) const;
  /// x weight^T + bias, in T.
  torch::Tensor linear(const torch::Tensor& x_NI, const torch::Tensor& weight_OI, const torch::Tensor& bias_O) const;
  /// x + drop(branch): float32, of a float32 stream and a branch in T.
  torch::Tensor add(const DevicePass& pass, const torch::Tensor& x_ND, const torch::Tensor& branch_ND,
                    uint32_t site) const;
  /// In T.
  torch::Tensor drop(const DevicePass& pass, const torch::Tensor& x_ND, uint32_t site) const;
  /// drop(act(u)), in T; gated kinds halve the width.
  torch::Tensor activate(const DevicePass& pass, const torch::Tensor& u_NF, FeedForward kind, uint32_t site) const;
  /// Attention as attention.h says, in T. plan.rotation, plan.slopes_H, the factors of the queries [N, heads] and the
  /// bias [heads, N, rows.longest] (added to the scores of a query and its row's keys) are float32.
  torch::Tensor attend(const DevicePass& pass, const torch::Tensor& qkv_NK, const AttentionPlan& plan, uint32_t site,
                       const torch::Tensor& factors_NH, const torch::Tensor& bias_HNL) const;
  /// Rows `predict` of x; `target_of` [N] says which of them is of a token, or -1.
  torch::Tensor select(const torch::Tensor& x_ND, const torch::Tensor& predict_M,
                       const torch::Tensor& target_of_N) const;
  /// The sum of cross entropies over labels that are not negative, divided by `targets` [1], of logits
  /// scale hidden head^T.
  torch::Tensor loss(const torch::Tensor& hidden_MD, const torch::Tensor& head_VD, double scale,
                     const torch::Tensor& labels_M, const torch::Tensor& targets) const;
  /// scale hidden head^T in float32, without a gradient.
  torch::Tensor logits(const torch::Tensor& hidden_MD, const torch::Tensor& head_VD, double scale) const;

 private:
  struct Inside;
  const void* product_weights(const torch::Tensor& weight) const;
  /// How many rows of logits products compute: in bf16 a multiple of 64, several times faster, for which there is
  /// memory after the weights' copies. What is past the vocabulary nobody looks at.
  int64_t logit_rows(int64_t vocabulary) const;

  torch::Tensor flat_, low_;
  DType dtype_;
  std::unique_ptr<Inside> inside_;
};

}  // namespace rfs
