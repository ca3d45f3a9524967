#pragma once

#include <limits>
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

/// Lets the network see positions. Every hook has an empty default. `sinusoids`, `rotate` and `slopes` only describe
/// what to do, so that fused kernels can do it. `bias` and `scores` compute it with LibTorch. Positions are float32 and
/// always an input.
class PositionEncoding {
 public:
  static constexpr std::string_view family = "encoding";
  virtual ~PositionEncoding() = default;

  /// Frequencies, one per pair of dims of a token's vector: sin(position * frequency) is added to dim 2k and the cosine
  /// to dim 2k + 1. Empty: nothing is added.
  virtual std::vector<double> sinusoids(int64_t /*width*/) const { return {}; }

  /// True if `added` should be called. Only the reference tier computes such encodings.
  virtual bool adds_learned() const { return false; }
  /// Learned vectors [N, width] of these positions, which are added to the embeddings. Differentiable.
  virtual at::Tensor added(std::span<const at::Tensor> learned, const at::Tensor& positions_N) const;

  /// Positions beyond this one look like it.
  virtual double largest_position() const { return std::numeric_limits<double>::infinity(); }

  /// Frequencies, one per pair of dims: queries and keys are rotated by position * frequency. Empty: no rotation.
  virtual std::vector<double> rotate(int64_t /*head_width*/) const { return {}; }
  /// A factor of the rotated dims of queries and keys.
  virtual double rotation_scale() const { return 1; }
  /// True if the frequencies depend on the length of the input; `rotate_for` then gives them for an input of `input`
  /// tokens. Only the reference tier computes such encodings.
  virtual bool rotates_by_length() const { return false; }
  /// The frequencies for an input length.
  virtual std::vector<double> rotate_for(int64_t /*input*/, int64_t head_width) const { return rotate(head_width); }

  /// Slopes, one per head: scores get -slope * (p_query - p_key). Empty: none.
  virtual std::vector<double> slopes(int64_t /*heads*/) const { return {}; }

  /// True if `bias` should be called.
  virtual bool has_bias() const { return false; }
  /// The bias [heads, R] of the scores of R pairs of a query and a key, from their positions [R] in the model's type
  /// and the learned tensors, in the order of `learned`. Differentiable in the learned tensors.
  virtual at::Tensor bias(std::span<const at::Tensor> learned, const at::Tensor& query_R,
                          const at::Tensor& key_R) const;

  /// True if `scores` should be called. Only the reference tier computes such encodings.
  virtual bool changes_scores() const { return false; }
  /// New scores [heads, q, k] of q queries and k keys of one row, from their scores, the queries [heads, q, head width]
  /// (times the score scale) and the distances p_query - p_key [q, k], 0 for keys after the query. Differentiable.
  virtual at::Tensor scores(std::span<const at::Tensor> learned, const at::Tensor& score_Hqk,
                            const at::Tensor& query_HqE, const at::Tensor& distance_qk) const;

  /// The tensors that `added`, `bias` and `scores` learn.
  virtual std::vector<LearnedTensor> learned(const ModelShape& /*shape*/) const { return {}; }
  /// True if all layers of a kind share them; false if each layer has its own.
  virtual bool shared_by_layers() const { return true; }

  /// Token embeddings x_ND plus the sinusoids or learned vectors of their positions.
  at::Tensor embed(const at::Tensor& x_ND, const at::Tensor& positions_N,
                   std::span<const at::Tensor> learned = {}) const;
};

}  // namespace rfs
