#pragma once

#include <string_view>
#include <vector>

#include "rfs/core/options.h"
#include "rfs/core/registry.h"

namespace at {
class Tensor;
}

namespace rfs {

/// Lets the network see positions. Three hooks with empty defaults that say what is done rather than doing it, so that
/// one fused pass can; positions are float32 and always an input.
class PositionEncoding {
 public:
  static constexpr std::string_view family = "encoding";
  virtual ~PositionEncoding() = default;

  /// Frequencies, one a pair of dims of a token's vector: dim 2k gets + sin(position * frequency), dim 2k + 1 the
  /// cosine. Empty: nothing is added.
  virtual std::vector<double> waves(int64_t /*width*/) const { return {}; }

  /// Frequencies, one a pair of dims: queries and keys are turned by position * frequency. Empty: not turned.
  virtual std::vector<double> rotate(int64_t /*head_width*/) const { return {}; }

  /// Slopes, one a head: scores get -slope * (p_query - p_key). Empty: no bias.
  virtual std::vector<double> bias(int64_t /*heads*/) const { return {}; }

  /// Token embeddings x_ND with the waves of their positions.
  at::Tensor embed(const at::Tensor& x_ND, const at::Tensor& positions_N) const;
};

}  // namespace rfs
