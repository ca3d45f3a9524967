#pragma once

#include <array>
#include <string>
#include <vector>

#include "rfs/core/options.h"
#include "rfs/ops/feed_forward.h"

namespace rfs {

/// RMSNorm or LayerNorm.
enum class Norm { rms, layer };
constexpr auto enum_names(Norm) {
  return std::array<std::string_view, 2>{"rms", "layer"};
}

/// The initial weights of T5 or of GPT-2.
enum class Initialisation { t5, gpt2 };
constexpr auto enum_names(Initialisation) {
  return std::array<std::string_view, 2>{"t5", "gpt2"};
}

/// The names of the presets, smaller models of a family first.
std::vector<std::string> model_presets();

/// Shape and kind of a Decoder. `t5-base` and `tiny` have T5's block, `gpt2` and larger ones GPT-2's, as in the paper.
/// `llama` has Llama's block at GPT-2's size; the larger ones are close to published models of that size.
struct DecoderOptions : Options {
  Field<std::string> preset{this, "preset", "t5-base", "default values of the other keys in this table",
                            one_of(model_presets())};
  Field<int64_t> layers{this, "layers", 12, "number of blocks", between<int64_t>(1, 1000)};
  Field<int64_t> width{this, "width", 768, "width of the residual stream", between<int64_t>(1, 65'536)};
  Field<int64_t> heads{this, "heads", 12, "number of attention heads", between<int64_t>(1, 1024)};
  Field<int64_t> kv_heads{this, "kv_heads", 0, "key and value heads, a divisor of heads; 0 for as many as heads",
                          between<int64_t>(0, 1024)};
  Field<int64_t> head_width{this, "head_width", 64, "dims per head", between<int64_t>(1, 4096)};
  Field<int64_t> feed_width{this, "feed_width", 3072, "hidden width of the feed-forward block",
                            between<int64_t>(1, 1'048'576)};
  Field<Norm> norm{this, "norm", Norm::rms, "RMSNorm (scale only) or LayerNorm (scale and shift)"};
  Field<double> norm_epsilon{this, "norm_epsilon", 1e-6, "added to the variance in a norm", above<double>(0.0)};
  Field<bool> bias{this, "bias", false, "use biases in the linear maps"};
  Field<bool> qkv_bias{this, "qkv_bias", false, "use biases for queries, keys and values, even without bias"};
  Field<FeedForward> activation{this, "activation", FeedForward::relu,
                                "ReLU, GELU (tanh form), or gated: SwiGLU, GEGLU (tanh form); gelu_erf: GELU's exact "
                                "form"};
  Field<bool> parallel{this, "parallel", false,
                       "attention and feed-forward read the same hidden states, and both results are added"};
  Field<bool> qk_norm{this, "qk_norm", false, "RMSNorm of each head's queries and keys, before positions are applied"};
  Field<bool> scale_scores{this, "scale_scores", false, "divide attention scores by sqrt(head_width)"};
  Field<bool> tied{this, "tied", true, "the output head shares the embedding's weights"};
  Field<bool> scale_head{this, "scale_head", true, "multiply the last hidden state by width^-0.5"};
  Field<Initialisation> initialisation{this, "initialisation", Initialisation::t5,
                                       "standard deviations of the initial weights"};
  Field<double> dropout{this, "dropout", 0.1,
                        "dropout rate: embedding, attention weights, feed-forward, each residual branch and the end",
                        between(0.0, 0.99)};

  /// Applies the defaults, then the preset named in `table` (which may be null), then the table's other keys. Throws
  /// Error.
  static DecoderOptions read(const Table* table);

  /// The number of key and value heads.
  int64_t key_heads() const { return kv_heads == 0 ? *heads : *kv_heads; }

 private:
  using Options::read;
};

}  // namespace rfs
