#pragma once

#include <torch/types.h>

#include <vector>

namespace rfs {

/// Weights of a norm or of a linear map. The bias may be undefined.
struct NormWeights {
  torch::Tensor weight, bias;
};
using LinearWeights = NormWeights;

/// Weights of one block of a decoder.
struct BlockWeights {
  NormWeights attention_norm, query_norm, key_norm;
  LinearWeights qkv, out;
  NormWeights feed_norm;
  LinearWeights feed_in, feed_out;
  std::vector<torch::Tensor> encoding, attention_rule;  ///< what they learn
};

}  // namespace rfs
