#pragma once

#include <torch/types.h>

#include <vector>

#include "rfs/model/decoder.h"

namespace rfs {

/// The attention weights of a batch of one row, by the reference.
struct AttentionMaps {
  std::vector<torch::Tensor> weights_Hnn;  ///< of each layer: [heads, queries, keys]
  torch::Tensor hidden_ND;                 ///< as Decoder::hidden gives it
};

/// Runs the decoder on one row and keeps the weights of every layer.
AttentionMaps attention_maps(const Decoder& decoder, const Batch& row);

}  // namespace rfs
