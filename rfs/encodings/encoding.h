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

/// Lets the network see positions. Every hook has an empty default. The first three only describe what is done, so that
/// a fused kernel can do it; `bias` computes it. Positions are float32 and always an input.
class PositionEncoding {
 public:
  static constexpr std::string_view family = "encoding";
  virtual ~PositionEncoding() = default;

  /// Frequencies, one per pair of dims of a token's vector: dim 2k gets + sin(position * frequency), dim 2k + 1 the
  /// cosine. Empty: nothing is added.
  virtual std::vector<double> sinusoids(int64_t /*width*/) const { return {}; }

  /// Frequencies, one per pair of dims: queries and keys are rotated by position * frequency. Empty: no rotation.
  virtual std::vector<double> rotate(int64_t /*head_width*/) const { return {}; }

  /// Slopes, one per head: scores get -slope * (p_query - p_key). Empty: none.
  virtual std::vector<double> slopes(int64_t /*heads*/) const { return {}; }

  /// Whether `bias` is to be called.
  virtual bool has_bias() const { return false; }
  /// What is added to the scores of R pairs of a query and a key, [heads, R], from their positions [R] in the model's
  /// type and the learned tensors, in the order of `learned`. Differentiable in those.
  virtual at::Tensor bias(std::span<const at::Tensor> learned, const at::Tensor& query_R,
                          const at::Tensor& key_R) const;

  /// The tensors that `bias` learns.
  virtual std::vector<LearnedTensor> learned(const ModelShape& /*shape*/) const { return {}; }
  /// Whether all layers of a kind share them, or each has its own.
  virtual bool shared_by_layers() const { return true; }

  /// Token embeddings x_ND plus the sinusoids of their positions.
  at::Tensor embed(const at::Tensor& x_ND, const at::Tensor& positions_N) const;
};

}  // namespace rfs
