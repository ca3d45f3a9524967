#pragma once

#include <torch/types.h>

#include <string_view>
#include <vector>

#include "rfs/core/options.h"
#include "rfs/core/registry.h"

namespace rfs {

/// Lets the network see positions. Three hooks with empty defaults; positions are float32 and always an input.
/// `rotate` and `bias` say what attention does rather than doing it, so that one fused pass can.
class PositionEncoding {
 public:
  static constexpr std::string_view family = "encoding";
  virtual ~PositionEncoding() = default;

  /// What is added to (or made of) the token embeddings x_ND.
  virtual torch::Tensor embed(const torch::Tensor& x_ND, const torch::Tensor& /*positions_N*/) const { return x_ND; }

  /// Frequencies, one a pair of dims: queries and keys are turned by position * frequency. Empty: not turned.
  virtual std::vector<double> rotate(int64_t /*head_width*/) const { return {}; }

  /// Slopes, one a head: scores get -slope * (p_query - p_key). Empty: no bias.
  virtual std::vector<double> bias(int64_t /*heads*/) const { return {}; }
};

}  // namespace rfs
