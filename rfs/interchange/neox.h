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

/// What a GPT-NeoX checkpoint says of a model besides its weights, where that is GPT-2's block with RoPE: LayerNorm,
/// biases, GELU in its tanh form, scaled scores, one branch after the other.
struct NeoxConfig {
  int64_t vocabulary = 0, width = 0, layers = 0, heads = 0, feed_width = 0;
  double norm_epsilon = 0;
  bool tied = false;
  int64_t rotated = 0;  ///< dims of a head that turn, the first ones
  double base = 0;      ///< of their frequencies
  double factor = 1;    ///< linear RoPE scaling: neighbours are 1 / factor apart
  int64_t tokens = 0;   ///< the longest input it is for
  int64_t end = -1;     ///< the id that ends a text; -1 where it is not known

  int64_t head_width() const { return width / heads; }
  bool operator==(const NeoxConfig&) const = default;
};

/// How a model trained up to `trained` tokens is written for inputs of up to `tokens` (not fewer than were trained).
/// RoPE sees differences alone, so evenly spaced positions are linear RoPE scaling. Throws Error that begins with
/// `where` and says what this layout cannot express.
NeoxConfig neox_config(const Decoder& decoder, const Choice<PositionEncoding>& encoding,
                       const Choice<PositionIndexing>& positions, int64_t trained, int64_t tokens,
                       const std::string& where);

/// One tensor under its three names.
struct NeoxTensor {
  std::string ours, hf, gguf;
  std::vector<int64_t> shape;  ///< the same for all three
};
std::vector<NeoxTensor> neox_tensors(const NeoxConfig& config);

/// The rows of queries, keys and values in another order. Ours are all queries, then keys, then values, and the pairs
/// that turn are neighbours: (2k, 2k + 1).
torch::Tensor halves_from_pairs(const torch::Tensor& qkv, const NeoxConfig& config);  ///< pairs become (k, R / 2 + k)
torch::Tensor pairs_from_halves(const torch::Tensor& qkv, const NeoxConfig& config);
torch::Tensor by_head(const torch::Tensor& qkv, const NeoxConfig& config);  ///< query, key, value of a head together
torch::Tensor by_kind(const torch::Tensor& qkv, const NeoxConfig& config);  ///< the way back

}  // namespace rfs
