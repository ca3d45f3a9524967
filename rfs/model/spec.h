#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rfs/attention/attention_rule.h"
#include "rfs/encodings/encoding.h"
#include "rfs/model/options.h"
#include "rfs/ops/qkv_layout.h"

namespace rfs {

/// One kind of layer: its positions, their encoding, and how scores become weights.
struct LayerKind {
  std::string name;  ///< its letter in the pattern; "" for a model of one kind
  std::shared_ptr<const PositionEncoding> encoding;
  std::shared_ptr<const AttentionRule> attention;
  int64_t window = 0;  ///< a token attends to this many tokens, itself included; 0 for all
  size_t track = 0;    ///< index of its position track in a batch
};

/// Everything that determines what a Decoder computes, except its weights.
struct ModelSpec {
  DecoderOptions options;
  int64_t vocabulary = 0;
  int64_t trained_length = 0;  ///< n_tr; initial values of some learned tensors depend on it
  std::vector<LayerKind> kinds;
  std::vector<size_t> kind_of_layer;  ///< an index into `kinds` for each layer

  /// A model with one kind of layer.
  static ModelSpec uniform(const DecoderOptions& options, int64_t vocabulary,
                           std::shared_ptr<const PositionEncoding> encoding);

  /// The kind of a layer.
  const LayerKind& kind(int64_t layer) const { return kinds[kind_of_layer[static_cast<size_t>(layer)]]; }
  size_t tracks() const;  ///< number of position tracks in a batch
  /// The layout of queries, keys and values.
  QkvLayout qkv() const { return {options.heads, options.key_heads(), options.head_width}; }
  ModelShape shape(const LayerKind& kind) const;  ///< what a kind's methods may know about the model
};

}  // namespace rfs
