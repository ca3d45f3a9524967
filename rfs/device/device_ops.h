#pragma once

#include <torch/types.h>

#include <memory>

#include "rfs/ops/attention.h"
#include "rfs/ops/device_rows.h"
#include "rfs/ops/feed_forward.h"

namespace rfs {

/// The packed rows of a forward pass on a GPU, and its dropout.
struct DevicePass {
  DeviceRows rows;
  DeviceDropout dropout;
  torch::Tensor memory;  ///< the memory that the rows point into
};

/// Keys and values of the tokens so far, of one layer: [rows, key-value heads, capacity, head width] in T.
struct CachedRows {
  torch::Tensor keys_BKTE, values_BKTE;
};

/// The project's CUDA kernels as LibTorch operations with gradients, on LibTorch's current stream. T is the type of the
/// activations and of the weights that matmuls read: float32, or bf16 with copies of the float32 weights. The residual
/// stream, norms, angles and sums are float32. Gradients of weights are added to their grad(), which must exist.
/// Nothing synchronizes with the GPU or copies from the host, so a pass can be captured into a CUDA graph.
class DeviceOps {
 public:
  /// `flat`: all weights, float32 on a GPU. The weights passed to the functions below must be views of it.
  DeviceOps(torch::Tensor flat, DType dtype);
  ~DeviceOps();

  /// Refreshes the bf16 copies of the weights that matmuls read.
  void round_weights();
  /// Those copies as a flat tensor; undefined if T is float32.
  const torch::Tensor& low_weights() const { return low_; }
  DType dtype() const { return dtype_; }
  torch::Dtype type() const { return dtype_ == DType::bf16 ? torch::kBFloat16 : torch::kFloat32; }

  /// [N, D] float32: rows of the embedding table, plus sinusoids if `frequencies` [D / 2] (float64) is defined, with
  /// dropout.
  torch::Tensor embed(const DevicePass& pass, const torch::Tensor& tokens_N, const torch::Tensor& table_VD,
                      const torch::Tensor& positions_N, const torch::Tensor& frequencies, uint32_t site) const;
  /// RMSNorm, or LayerNorm if there is a bias, of float32 or T rows. Returns T.
  torch::Tensor norm(const torch::Tensor& x_RD, const torch::Tensor& weight_D, const torch::Tensor& bias_D,
                     double epsilon) const;
  /// x weight^T + bias, in T.
  torch::Tensor linear(const torch::Tensor& x_NI, const torch::Tensor& weight_OI, const torch::Tensor& bias_O) const;
  /// x + drop(branch): a float32 residual stream plus a branch in T. Returns float32.
  torch::Tensor add(const DevicePass& pass, const torch::Tensor& x_ND, const torch::Tensor& branch_ND,
                    uint32_t site) const;
  /// Dropout, in T.
  torch::Tensor drop(const DevicePass& pass, const torch::Tensor& x_ND, uint32_t site) const;
  /// drop(act(u)), in T. Gated activations halve the width.
  torch::Tensor activate(const DevicePass& pass, const torch::Tensor& u_NF, FeedForward kind, uint32_t site) const;
  /// Attention as defined in attention.h, in T. plan.rotation, plan.slopes_H, the query factors [N, heads] and the bias
  /// [heads, N, rows.longest] (added to the scores of a query with the keys of its row) are float32.
  torch::Tensor attend(const DevicePass& pass, const torch::Tensor& qkv_NK, const AttentionPlan& plan, uint32_t site,
                       const torch::Tensor& factors_NH, const torch::Tensor& bias_HNL) const;
  /// Attention of each row's newest token over the row's cached tokens, without gradient; its key and value join the
  /// cache. `plan` and the factors [B, heads] are those of the newest tokens. `seen_B` (float32) counts each row's
  /// tokens. `positions_BT` and the bias [heads, B, T] are those of all tokens.
  torch::Tensor attend_cached(const torch::Tensor& qkv_BK, const AttentionPlan& plan, const CachedRows& cache,
                              const torch::Tensor& seen_B, const torch::Tensor& positions_BT,
                              const torch::Tensor& factors_BH, const torch::Tensor& bias_HBT) const;
  /// Rows `predict` of x. `target_of` [N] is the inverse: the row of the result that belongs to a token, or -1.
  torch::Tensor select(const torch::Tensor& x_ND, const torch::Tensor& predict_M,
                       const torch::Tensor& target_of_N) const;
  /// Sum of the cross entropies of the logits scale hidden head^T over labels that are not negative, divided by
  /// `targets` [1].
  torch::Tensor loss(const torch::Tensor& hidden_MD, const torch::Tensor& head_VD, double scale,
                     const torch::Tensor& labels_M, const torch::Tensor& targets) const;
  /// scale hidden head^T in float32, without gradient.
  torch::Tensor logits(const torch::Tensor& hidden_MD, const torch::Tensor& head_VD, double scale) const;

 private:
  struct Inside;
  const void* product_weights(const torch::Tensor& weight) const;
  /// Number of logits per row that matmuls compute. In bf16 it is rounded up to a multiple of 64, which is several
  /// times faster; the weight copies have extra memory for this. The logits past the vocabulary are never read.
  int64_t logit_rows(int64_t vocabulary) const;

  torch::Tensor flat_, low_;
  DType dtype_;
  std::unique_ptr<Inside> inside_;
};

}  // namespace rfs
