#pragma once

#include <string>
#include <vector>

#include "rfs/core/options.h"

namespace rfs {

/// Shape and kind of a Decoder. The presets hold the two families of the paper and a small one:
/// `t5-base` and `tiny` are T5's block, `gpt2` is GPT-2's.
struct DecoderOptions : Options {
  Field<std::string> preset{this, "preset", "t5-base", "where the other keys of this table start from",
                            one_of({"t5-base", "gpt2", "tiny"})};
  Field<int64_t> layers{this, "layers", 12, "number of blocks", between<int64_t>(1, 1000)};
  Field<int64_t> width{this, "width", 768, "size of a token's vector", between<int64_t>(1, 65'536)};
  Field<int64_t> heads{this, "heads", 12, "attention heads", between<int64_t>(1, 1024)};
  Field<int64_t> head_width{this, "head_width", 64, "dims of a head", between<int64_t>(1, 4096)};
  Field<int64_t> feed_width{this, "feed_width", 3072, "hidden size of the feed-forward part",
                            between<int64_t>(1, 1'048'576)};
  Field<std::string> norm{this, "norm", "rms", "RMSNorm (scale only) or LayerNorm (scale and shift)",
                          one_of({"rms", "layer"})};
  Field<double> norm_epsilon{this, "norm_epsilon", 1e-6, "added to the variance in a norm", above<double>(0.0)};
  Field<bool> bias{this, "bias", false, "biases in the linear maps"};
  Field<std::string> activation{this, "activation", "relu", "ReLU or GELU (tanh form)", one_of({"relu", "gelu"})};
  Field<bool> scale_scores{this, "scale_scores", false, "divide attention scores by sqrt(head_width)"};
  Field<bool> tied{this, "tied", true, "the output head is the embedding"};
  Field<bool> scale_head{this, "scale_head", true, "multiply the last hidden state by width^-0.5"};
  Field<std::string> initialisation{this, "initialisation", "t5", "standard deviations of the first weights",
                                    one_of({"t5", "gpt2"})};
  Field<double> dropout{this, "dropout", 0.1,
                        "rate after the embedding, in attention weights, feed-forward, each branch and at the end",
                        between(0.0, 0.99)};

  /// Defaults, then the preset named in `table` (which may be null), then the table's own keys. Throws Error.
  static DecoderOptions read(const Table* table);

 private:
  using Options::read;
};

}  // namespace rfs
