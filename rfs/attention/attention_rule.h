#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "rfs/core/learned.h"
#include "rfs/core/options.h"
#include "rfs/core/registry.h"

namespace at {
class Tensor;
}

namespace rfs {

/// How attention scores become weights. The default is softmax; a rule may scale each query, or replace softmax.
class AttentionRule {
 public:
  static constexpr std::string_view family = "attention";
  virtual ~AttentionRule() = default;

  /// True if `query_scale` should be called.
  virtual bool scales_queries() const { return false; }
  /// Factors of the queries [N, heads], from the number of keys each of N queries sees [N], in the model's type, and
  /// the learned tensors, in the order of `learned`. `x_ND` are the hidden states that the queries come from if
  /// `reads_hidden`, else undefined. Differentiable in the learned tensors and in x.
  virtual at::Tensor query_scale(std::span<const at::Tensor> learned, const at::Tensor& keys_N,
                                 const at::Tensor& x_ND) const;
  /// For rules whose factor is a sum over their learned tensors [heads], each times a number: these numbers, for a
  /// query that sees `keys` keys. The engine computes such rules. Empty: the rule is no such sum.
  virtual std::vector<double> scale_terms(int64_t /*keys*/) const { return {}; }
  /// True if `query_scale` depends on the hidden states. Only the reference tier computes such rules.
  virtual bool reads_hidden() const { return false; }

  /// True if `weights` replaces softmax. Only the reference tier computes such rules.
  virtual bool has_weights() const { return false; }
  /// Weights [heads, q, k] of q queries and k keys of one row, from their scores (-infinity for keys that a query does
  /// not see) and the distances in tokens [q, k], 0 for keys after the query. Each query's weights sum to 1.
  virtual at::Tensor weights(std::span<const at::Tensor> learned, const at::Tensor& score_Hqk,
                             const at::Tensor& distance_qk) const;

  /// The tensors that each layer learns.
  virtual std::vector<LearnedTensor> learned(const ModelShape& /*shape*/) const { return {}; }
};

}  // namespace rfs
