#include "rfs/interchange/neox.h"

#include <algorithm>

#include "rfs/core/error.h"
#include "rfs/core/format.h"

namespace rfs {
namespace {

double number(const Options& options, const std::string& name) {
  for (const auto& entry : options.entries()) {
    if (entry.name == name) return std::get<double>(options.value(entry).data);
  }
  throw std::logic_error("no option " + name);
}

/// "random_float (range = 1000, inference = "quantile")", for messages.
template <class Interface>
std::string described(const Choice<Interface>& choice) {
  std::vector<std::string> keys;
  for (const auto& entry : choice.options->entries()) {
    keys.push_back(entry.name + " = " + choice.options->value(entry).text());
  }
  return choice.use + (keys.empty() ? "" : " (" + join(keys) + ")");
}

void require_block(const DecoderOptions& model, const std::string& where) {
  const auto require = [&](const char* key, bool holds, const char* wanted, const std::string& got) {
    if (holds) return;
    throw Error(rfs::format("{}: model.{} must be {} for export, as in GPT-NeoX (preset gpt2), got {}", where, key,
                            wanted, got));
  };
  const auto text = [](bool value) { return std::string(value ? "true" : "false"); };
  require("norm", *model.norm == Norm::layer, "layer", enum_name(*model.norm));
  require("bias", model.bias, "true", text(model.bias));
  require("activation", *model.activation == FeedForward::gelu, "gelu", enum_name(*model.activation));
  require("scale_scores", model.scale_scores, "true", text(model.scale_scores));
  require("scale_head", !model.scale_head, "false", text(model.scale_head));
  require("kv_heads", model.key_heads() == model.heads, "0", std::to_string(*model.kv_heads));
  require("qk_norm", !model.qk_norm, "false", text(model.qk_norm));
  if (model.heads * model.head_width != model.width) {
    throw Error(rfs::format("{}: model.width must be heads * head_width for export, {}, got {}", where,
                            model.heads * model.head_width, *model.width));
  }
}

void require_one_kind(const ModelSpec& model, const std::string& where) {
  const LayerKind& kind = model.kinds.front();
  if (model.kinds.size() == 1 && kind.window == 0 && !kind.attention->scales_queries()) return;
  throw Error(rfs::format(
      "{}: cannot export this model: GPT-NeoX supports only identical layers with softmax attention and no window",
      where));
}

/// For each dim of a head in the `halves` layout: its index in the `pairs` layout.
std::vector<int64_t> places_in_pairs(const NeoxConfig& config) {
  std::vector<int64_t> places;
  for (int64_t dim = 0; dim < config.head_width(); ++dim) {
    const int64_t pairs = config.rotated / 2;
    places.push_back(dim < pairs ? 2 * dim : dim < 2 * pairs ? 2 * (dim - pairs) + 1 : dim);
  }
  return places;
}

/// Permutes the dims of queries and keys, but not of values. `qkv` is a weight or bias, ordered by kind.
torch::Tensor moved(const torch::Tensor& qkv, const NeoxConfig& config, const torch::Tensor& places) {
  const auto parts = qkv.reshape({3, config.heads, config.head_width(), -1});
  return torch::cat({parts.narrow(0, 0, 2).index_select(2, places), parts.narrow(0, 2, 1)}).reshape(qkv.sizes());
}

}  // namespace

NeoxConfig neox_config(const Decoder& decoder, const Choice<PositionEncoding>& encoding,
                       const Choice<PositionIndexing>& positions, int64_t trained, int64_t tokens,
                       const std::string& where) {
  const DecoderOptions& model = decoder.options();
  if (encoding.use != "rope") {
    throw Error(rfs::format("{}: encoding.use must be rope for export, the only encoding of GPT-NeoX, got {}", where,
                            encoding.use));
  }
  require_block(model, where);
  require_one_kind(decoder.spec(), where);
  const auto pairs = static_cast<int64_t>(decoder.spec().kinds.front().encoding->rotate(model.head_width).size());
  if (pairs == 0) {
    throw Error(rfs::format("{}: encoding.share must rotate at least 2 of a head's {} dims for export, got {}", where,
                            *model.head_width, number(*encoding.options, "share")));
  }
  const int64_t input = std::max(trained, tokens);
  const auto step = positions.make()->even_step(trained, input);
  if (!step) {
    throw Error(
        rfs::format("{}: positions must be evenly spaced and not random at inference for export, as in linear RoPE "
                    "scaling, got {}",
                    where, described(positions)));
  }
  NeoxConfig config{decoder.vocabulary(), model.width, model.layers, model.heads, model.feed_width};
  config.norm_epsilon = model.norm_epsilon;
  config.tied = model.tied;
  config.rotated = 2 * pairs;
  config.base = number(*encoding.options, "base");
  config.factor = 1 / *step;
  config.tokens = input;
  return config;
}

std::vector<NeoxTensor> neox_tensors(const NeoxConfig& c) {
  std::vector<NeoxTensor> tensors;
  const auto add = [&](const std::string& ours, const std::string& hf, const std::string& gguf,
                       const std::vector<int64_t>& shape) {
    tensors.push_back({ours + ".weight", hf + ".weight", gguf + ".weight", shape});
    const bool has_bias = ours != "embedding" && ours != "head";
    if (has_bias) tensors.push_back({ours + ".bias", hf + ".bias", gguf + ".bias", {shape.front()}});
  };
  add("embedding", "gpt_neox.embed_in", "token_embd", {c.vocabulary, c.width});
  for (int64_t layer = 0; layer < c.layers; ++layer) {
    const auto ours = rfs::format("blocks.{}.", layer), hf = rfs::format("gpt_neox.layers.{}.", layer),
               gguf = rfs::format("blk.{}.", layer);
    add(ours + "attention_norm", hf + "input_layernorm", gguf + "attn_norm", {c.width});
    add(ours + "attention.qkv", hf + "attention.query_key_value", gguf + "attn_qkv", {3 * c.width, c.width});
    add(ours + "attention.out", hf + "attention.dense", gguf + "attn_output", {c.width, c.width});
    add(ours + "feed_norm", hf + "post_attention_layernorm", gguf + "ffn_norm", {c.width});
    add(ours + "feed.in", hf + "mlp.dense_h_to_4h", gguf + "ffn_up", {c.feed_width, c.width});
    add(ours + "feed.out", hf + "mlp.dense_4h_to_h", gguf + "ffn_down", {c.width, c.feed_width});
  }
  add("final_norm", "gpt_neox.final_layer_norm", "output_norm", {c.width});
  if (!c.tied) add("head", "embed_out", "output", {c.vocabulary, c.width});
  return tensors;
}

torch::Tensor halves_from_pairs(const torch::Tensor& qkv, const NeoxConfig& config) {
  return moved(qkv, config, torch::tensor(places_in_pairs(config)));
}

torch::Tensor pairs_from_halves(const torch::Tensor& qkv, const NeoxConfig& config) {
  return moved(qkv, config, torch::tensor(places_in_pairs(config)).argsort());
}

torch::Tensor by_head(const torch::Tensor& qkv, const NeoxConfig& config) {
  return qkv.reshape({3, config.heads, config.head_width(), -1}).transpose(0, 1).reshape(qkv.sizes());
}

torch::Tensor by_kind(const torch::Tensor& qkv, const NeoxConfig& config) {
  return qkv.reshape({config.heads, 3, config.head_width(), -1}).transpose(0, 1).reshape(qkv.sizes());
}

}  // namespace rfs
