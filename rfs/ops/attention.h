#pragma once

#include <torch/types.h>

#include <functional>

#include "rfs/ops/backend.h"
#include "rfs/ops/dropout.h"
#include "rfs/ops/qkv_layout.h"
#include "rfs/ops/rotary.h"

namespace rfs {

/// What all layers of one kind share in one forward pass over packed rows.
struct AttentionPlan {
  torch::Tensor offsets;      ///< [B + 1] int64, CPU: row b is tokens offsets[b] .. offsets[b + 1]
  torch::Tensor positions_N;  ///< float32; slopes and score steps use them
  Rotation rotation;          ///< of queries and keys; undefined for none
  torch::Tensor slopes_H;     ///< score -= slope * (p_i - p_j), in the model's dtype; undefined for none
  QkvLayout layout;
  int64_t window = 0;  ///< a query sees this many tokens, itself included; 0 for all
  double scale = 1;    ///< multiplies the scores before slopes and bias are added
  Dropout dropout;     ///< of the attention weights; elements are numbered by Dropout::attention_index
};

/// Steps of one layer that only the reference computes. Shapes: q queries and k keys of one row, H heads.
struct ScoreSteps {
  /// New scores from scores, queries [H, q, E] and position distances [q, k]; empty: the scores stay.
  std::function<torch::Tensor(const torch::Tensor& score_Hqk, const torch::Tensor& query_HqE,
                              const torch::Tensor& distance_qk)>
      scores;
  /// Weights from masked scores and token distances [q, k]; empty: softmax.
  std::function<torch::Tensor(const torch::Tensor& score_Hqk, const torch::Tensor& distance_qk)> weights;

  bool any() const { return scores || weights; }
};

/// The last q of the k tokens of a row as queries, and all k as keys; rotated, one key per query head.
struct RowScores {
  torch::Tensor query_HqE, key_HkE;
  torch::Tensor positions_k;  ///< float32
  torch::Tensor bias_Hqk;     ///< may be undefined
};
/// Their attention weights [H, q, k].
torch::Tensor row_weights(const RowScores& row, const AttentionPlan& plan, const ScoreSteps& steps);

/// The R pairs (query, key) with key <= query of all rows, ordered by row, then query, then key. Pair (i, j) of row b
/// has index begin_b + i (i + 1) / 2 + j.
struct CausalPairs {
  explicit CausalPairs(const torch::Tensor& offsets);
  /// Index of each row's first pair, then the number of all pairs: [B + 1].
  static std::vector<int64_t> begins(const torch::Tensor& offsets);

  torch::Tensor query_R, key_R;  ///< int64, CPU: token indices in the batch
};

/// Causal attention within each row. `qkv_NK` is [N, plan.layout.width()], float32 or float64. The result is
/// [N, heads * E]. Gradients flow to qkv and to the bias.
///
/// `bias_HR`, if defined, is added to the scores: one number per head and causal pair, in the model's dtype.
///
///   reference  LibTorch operations, row by row: the specification, and the only version that knows `steps`
///   fused      CPU: one pass per row and head that includes rotation and slopes; the scores stay in the core's cache
torch::Tensor attention(const torch::Tensor& qkv_NK, const AttentionPlan& plan, uint32_t site,
                        Backend backend = Backend::automatic, const torch::Tensor& bias_HR = {},
                        const ScoreSteps& steps = {});

}  // namespace rfs
