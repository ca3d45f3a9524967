#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rfs/attention/attention_rule.h"
#include "rfs/encodings/encoding.h"
#include "rfs/model/options.h"
#include "rfs/ops/qkv_layout.h"

namespace rfs {

/// One kind of layer: which positions its attention sees, how, and how scores become weights.
struct LayerKind {
  std::string name;  ///< its letter in the pattern; "" for a model of one kind
  std::shared_ptr<const PositionEncoding> encoding;
  std::shared_ptr<const AttentionRule> attention;
  int64_t window = 0;  ///< a token sees so many tokens up to its own; 0 for all
  size_t track = 0;    ///< which of a batch's position tracks it reads
};

/// Everything that decides what a Decoder computes, except its weights.
struct ModelSpec {
  DecoderOptions options;
  int64_t vocabulary = 0;
  int64_t trained_length = 0;  ///< n_tr; initial values of some learned tensors depend on it
  std::vector<LayerKind> kinds;
  std::vector<size_t> kind_of_layer;  ///< an index into `kinds` for each layer

  /// A model whose layers are all alike.
  static ModelSpec uniform(const DecoderOptions& options, int64_t vocabulary,
                           std::shared_ptr<const PositionEncoding> encoding);

  const LayerKind& kind(int64_t layer) const { return kinds[kind_of_layer[static_cast<size_t>(layer)]]; }
  size_t tracks() const;  ///< how many position tracks a batch carries
  QkvLayout qkv() const { return {options.heads, options.key_heads(), options.head_width}; }
  ModelShape shape(const LayerKind& kind) const;
};

}  // namespace rfs
