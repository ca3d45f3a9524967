#pragma once

#include <torch/types.h>

#include "rfs/ops/backend.h"
#include "rfs/ops/dropout.h"
#include "rfs/ops/rotary.h"

namespace rfs {

/// What every layer's attention shares in one pass over packed rows.
struct AttentionPlan {
  torch::Tensor offsets;      ///< [B + 1] int64, CPU: row b is tokens offsets[b] .. offsets[b + 1]
  torch::Tensor positions_N;  ///< float32, used by the slopes
  Rotation rotation;          ///< turns queries and keys; undefined for none
  torch::Tensor slopes_H;     ///< score -= slope * (p_i - p_j), the model's type; undefined for none
  int64_t heads = 0;
  double scale = 1;  ///< scores are scaled by this before the slopes
  Dropout dropout;   ///< of attention weights, at Dropout::attention_index
};

/// Causal attention within each row. `qkv_NK` [N, 3 * heads * E] holds a token's queries, keys and values, heads
/// within each; the result is [N, heads * E]. float32 or float64; gradients flow to qkv.
///
///   reference  composed of LibTorch operations, row by row: the specification
///   fused      CPU: one pass a row and head, rotation and slopes in it, scores never leave the core's cache
torch::Tensor attention(const torch::Tensor& qkv_NK, const AttentionPlan& plan, uint32_t site,
                        Backend backend = Backend::automatic);

}  // namespace rfs
