#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rfs/encodings/rope_scaling.h"
#include "rfs/model/decoder.h"
#include "rfs/model/safetensors.h"

namespace rfs {

/// The special ids of a checkpoint; -1 for those that it does not have.
struct TokenIds {
  int64_t begin = -1, pad = -1;
  std::vector<int64_t> ends;  ///< of a text, the main one first

  int64_t end() const { return ends.empty() ? -1 : ends.front(); }
  bool operator==(const TokenIds&) const = default;
};

/// What a checkpoint of another program computes, without its weights.
struct CheckpointConfig {
  int64_t vocabulary = 0, width = 0, layers = 0, heads = 0, kv_heads = 0, head_width = 0, feed_width = 0;
  Norm norm = Norm::rms;
  double norm_epsilon = 0;
  FeedForward activation = FeedForward::swiglu;
  bool bias = false, qkv_bias = false;
  bool qk_norm = false;
  bool parallel = false;
  bool tied = false;

  int64_t learned_rows = 0;                 ///< rows of the table of learned positions; 0: the model uses RoPE
  int64_t rotated = 0;                      ///< rotated dims of a head, which are the first ones
  double base = 0;                          ///< of the frequencies
  RopeScaling scaling = RopeScaling::none;  ///< none, linear, yarn or llama3
  double factor = 1;                        ///< of the scaling; linear: neighbouring positions are 1 / factor apart
  int64_t original_length = 0;              ///< of the scaling

  /// For each layer, whether it has RoPE and whether it attends only to `window` tokens. Empty: all have RoPE; none
  /// has a window.
  std::vector<bool> no_rope, windowed;
  int64_t window = 0;

  int64_t tokens = 0;    ///< the longest input that the positions are made for
  bool planned = false;  ///< an export of rfs says so; otherwise it is the config's maximum
  TokenIds ids;

  QkvLayout qkv() const { return {heads, kv_heads, head_width}; }
  bool layer_has_rope(int64_t layer) const { return no_rope.empty() || !no_rope[static_cast<size_t>(layer)]; }
  int64_t window_of(int64_t layer) const {
    return !windowed.empty() && windowed[static_cast<size_t>(layer)] ? window : 0;
  }
  bool operator==(const CheckpointConfig&) const = default;
};

/// How a tensor of `transformers` differs from the rows of ours that it holds, apart from the order of rotated dims.
enum class TensorLayout {
  plain,
  by_head,     ///< query, key and value of one head after the other; ours are ordered by kind
  transposed,  ///< [in, out]
};

/// One tensor of a checkpoint: its names, and the rows of our tensor that it holds.
struct CheckpointTensor {
  std::string ours, hf, gguf;
  std::vector<int64_t> shape;  ///< in the checkpoint
  int64_t begin = 0;           ///< first row in our tensor
  TensorLayout layout = TensorLayout::plain;

  int64_t rows() const { return layout == TensorLayout::transposed ? shape.back() : shape.front(); }
};

/// We rotate neighbouring pairs of dims (2k, 2k + 1); checkpoints rotate (k, R / 2 + k). These functions reorder the
/// rows of queries and keys, or of a norm of each. They return other tensors as they are.
torch::Tensor halves_from_pairs(const std::string& ours, const torch::Tensor& value, const CheckpointConfig& config);
torch::Tensor pairs_from_halves(const std::string& ours, const torch::Tensor& value, const CheckpointConfig& config);

/// The checkpoint's tensor, from our tensor in the order of `halves`; and the rows of our tensor from the checkpoint's.
torch::Tensor tensor_of_checkpoint(const CheckpointTensor& tensor, const torch::Tensor& ours,
                                   const CheckpointConfig& config);
torch::Tensor rows_of_ours(const CheckpointTensor& tensor, const torch::Tensor& theirs, const CheckpointConfig& config);

}  // namespace rfs
