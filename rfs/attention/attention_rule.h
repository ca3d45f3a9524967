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

/// How the scores of attention become weights: softmax of (scale * scores), where a rule may scale each query.
class AttentionRule {
 public:
  static constexpr std::string_view family = "attention";
  virtual ~AttentionRule() = default;

  /// Whether `query_scale` is to be called.
  virtual bool scales_queries() const { return false; }
  /// The factors of the queries [N, heads], from the number of keys each of N queries sees [N], in the model's type,
  /// and the learned tensors, in the order of `learned`. Differentiable in those.
  virtual at::Tensor query_scale(std::span<const at::Tensor> learned, const at::Tensor& keys_N) const;
  /// The same in numbers, where a head's factor is a sum of its learned numbers times these terms, one for each tensor
  /// [heads] of `learned`, of a query that sees so many keys. The engine computes such rules; empty: no other ones.
  virtual std::vector<double> scale_terms(int64_t /*keys*/) const { return {}; }

  /// The tensors that each layer learns.
  virtual std::vector<LearnedTensor> learned(const ModelShape& /*shape*/) const { return {}; }
};

}  // namespace rfs
