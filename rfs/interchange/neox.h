#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rfs/core/registry.h"
#include "rfs/encodings/encoding.h"
#include "rfs/model/decoder.h"
#include "rfs/model/safetensors.h"
#include "rfs/positions/indexing.h"

namespace rfs {

/// The configuration of a GPT-NeoX checkpoint that is GPT-2's block with RoPE: LayerNorm, biases, tanh GELU, scaled
/// scores, sequential residual branches.
struct NeoxConfig {
  int64_t vocabulary = 0, width = 0, layers = 0, heads = 0, feed_width = 0;
  double norm_epsilon = 0;
  bool tied = false;
  int64_t rotated = 0;  ///< rotated dims of a head, which are the first ones
  double base = 0;      ///< of the frequencies
  double factor = 1;    ///< linear RoPE scaling: neighbouring positions are 1 / factor apart
  int64_t tokens = 0;   ///< the longest input that the positions are made for
  int64_t end = -1;     ///< the end-of-text id; -1 if unknown

  int64_t head_width() const { return width / heads; }
  bool operator==(const NeoxConfig&) const = default;
};

/// The configuration of a model trained on up to `trained` tokens, for inputs of up to `tokens` tokens (at least
/// `trained`). RoPE depends only on position differences, so evenly spaced positions are linear RoPE scaling. Throws an
/// Error that starts with `where` if GPT-NeoX cannot express the model.
NeoxConfig neox_config(const Decoder& decoder, const Choice<PositionEncoding>& encoding,
                       const Choice<PositionIndexing>& positions, int64_t trained, int64_t tokens,
                       const std::string& where);

/// One tensor and its three names.
struct NeoxTensor {
  std::string ours, hf, gguf;
  std::vector<int64_t> shape;  ///< the same for all three
};
std::vector<NeoxTensor> neox_tensors(const NeoxConfig& config);

/// Reorder the rows of queries, keys and values. rfs stores all queries, then keys, then values, and rotates
/// neighbouring pairs (2k, 2k + 1).
torch::Tensor halves_from_pairs(const torch::Tensor& qkv, const NeoxConfig& config);  ///< pairs become (k, R / 2 + k)
torch::Tensor pairs_from_halves(const torch::Tensor& qkv, const NeoxConfig& config);
torch::Tensor by_head(const torch::Tensor& qkv, const NeoxConfig& config);  ///< query, key and value of a head together
torch::Tensor by_kind(const torch::Tensor& qkv, const NeoxConfig& config);  ///< the inverse of by_head

}  // namespace rfs
