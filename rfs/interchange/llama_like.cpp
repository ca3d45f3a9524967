#include "rfs/interchange/llama_like.h"

#include <algorithm>

#include "rfs/core/format.h"

namespace rfs {
namespace {

bool any(const std::vector<bool>& layers) {
  return std::find(layers.begin(), layers.end(), true) != layers.end();
}

}  // namespace

void LlamaLike::read(ConfigKeys& keys, CheckpointConfig& config) const {
  const Defaults absent = defaults();
  read_sizes(keys, config);
  config.kv_heads = keys.size_or("num_key_value_heads", config.heads);
  if (config.heads % config.kv_heads != 0) {
    throw keys.fail("num_key_value_heads", rfs::format("a divisor of {} heads", config.heads));
  }
  if (absent.head_width == 0 && !keys.find("head_dim") && config.width % config.heads != 0) {
    throw keys.fail("hidden_size", rfs::format("a multiple of {} heads", config.heads));
  }
  config.head_width = keys.find("head_dim")   ? keys.size("head_dim", 4096)
                      : absent.head_width > 0 ? absent.head_width
                                              : config.width / config.heads;
  config.norm = Norm::rms;
  config.norm_epsilon = keys.positive("rms_norm_eps", absent.norm_epsilon);
  config.activation = FeedForward::swiglu;
  config.tied = keys.boolean("tie_word_embeddings", absent.tied);
  keys.require("hidden_act", {"silu"}, "rfs has only SwiGLU here");
  const bool attention = keys.boolean("attention_bias", false), feed = keys.boolean("mlp_bias", false);
  if (attention != feed) {
    throw keys.fail(attention ? "attention_bias" : "mlp_bias",
                    "equal in both (rfs has biases in all linear maps, or only for queries, keys and values)");
  }
  config.bias = attention;
  read_rope(keys, config, "rope_theta", "partial_rotary_factor", 1);
  if (!keys.find("rope_theta") && !keys.find("rope_parameters")) config.base = absent.base;
  if (config.rotated != config.head_width) throw keys.fail("partial_rotary_factor", "1");
}

std::string LlamaLike::refusal(const CheckpointConfig& c) const {
  for (const auto& problem :
       {unless(c.norm == Norm::rms, "model.norm", "rms"),
        unless(c.activation == FeedForward::swiglu, "model.activation", "swiglu"),
        unless(!c.parallel, "model.parallel", "false"), unless(c.learned_rows == 0, "encoding.use", "rope"),
        unless(c.rotated == c.head_width, "encoding.share", "1 (all dims of a head are rotated)"),
        unless(c.width % c.heads == 0, "model.width", "a multiple of model.heads")}) {
    if (!problem.empty()) return problem;
  }
  return "";
}

ConfigKeys::Json LlamaLike::write(const CheckpointConfig& c) const {
  ConfigKeys::Json json = {{"vocab_size", c.vocabulary},
                           {"hidden_size", c.width},
                           {"num_hidden_layers", c.layers},
                           {"num_attention_heads", c.heads},
                           {"num_key_value_heads", c.kv_heads},
                           {"head_dim", c.head_width},
                           {"intermediate_size", c.feed_width},
                           {"hidden_act", "silu"},
                           {"rms_norm_eps", c.norm_epsilon},
                           {"tie_word_embeddings", c.tied},
                           {"rope_theta", c.base}};
  if (const auto scaling = rope_scaling_json(c); !scaling.empty()) json["rope_scaling"] = scaling;
  return json;
}

std::vector<CheckpointTensor> LlamaLike::tensors(const CheckpointConfig& c) const {
  std::vector<CheckpointTensor> tensors;
  const auto add = [&](const std::string& ours, const std::string& hf, const std::string& gguf,
                       const std::vector<int64_t>& shape, int64_t begin, bool bias) {
    tensors.push_back({ours + ".weight", hf + ".weight", gguf + ".weight", shape, begin});
    if (bias) tensors.push_back({ours + ".bias", hf + ".bias", gguf + ".bias", {shape.front()}, begin});
  };
  const QkvLayout qkv = c.qkv();
  const bool biased = c.bias || c.qkv_bias;
  add("embedding", "model.embed_tokens", "token_embd", {c.vocabulary, c.width}, 0, false);
  for (int64_t layer = 0; layer < c.layers; ++layer) {
    const auto ours = rfs::format("blocks.{}.", layer), hf = rfs::format("model.layers.{}.", layer),
               gguf = rfs::format("blk.{}.", layer);
    add(ours + "attention_norm", hf + "input_layernorm", gguf + "attn_norm", {c.width}, 0, false);
    const std::string all = ours + "attention.qkv", attention = hf + "self_attn.";
    add(all, attention + "q_proj", gguf + "attn_q", {qkv.query_width(), c.width}, 0, biased);
    add(all, attention + "k_proj", gguf + "attn_k", {qkv.kv_width(), c.width}, qkv.key_begin(), biased);
    add(all, attention + "v_proj", gguf + "attn_v", {qkv.kv_width(), c.width}, qkv.value_begin(), biased);
    if (c.qk_norm) {
      add(ours + "attention.query_norm", attention + "q_norm", gguf + "attn_q_norm", {c.head_width}, 0, false);
      add(ours + "attention.key_norm", attention + "k_norm", gguf + "attn_k_norm", {c.head_width}, 0, false);
    }
    add(ours + "attention.out", attention + "o_proj", gguf + "attn_output", {c.width, qkv.query_width()}, 0, c.bias);
    add(ours + "feed_norm", hf + "post_attention_layernorm", gguf + "ffn_norm", {c.width}, 0, false);
    add(ours + "feed.in", hf + "mlp.gate_proj", gguf + "ffn_gate", {c.feed_width, c.width}, 0, c.bias);
    add(ours + "feed.in", hf + "mlp.up_proj", gguf + "ffn_up", {c.feed_width, c.width}, c.feed_width, c.bias);
    add(ours + "feed.out", hf + "mlp.down_proj", gguf + "ffn_down", {c.width, c.feed_width}, 0, c.bias);
  }
  add("final_norm", "model.norm", "output_norm", {c.width}, 0, false);
  if (!c.tied) add("head", "lm_head", "output", {c.vocabulary, c.width}, 0, false);
  return tensors;
}

void LlamaLike::read_layer_types(ConfigKeys& keys, CheckpointConfig& config) {
  const auto types = keys.list("layer_types", config.layers);
  if (types.empty()) return;
  config.windowed.clear();
  for (const auto& type : types) {
    if (type != "full_attention" && type != "sliding_attention") {
      throw keys.fail("layer_types", "full_attention or sliding_attention for each layer");
    }
    config.windowed.push_back(type == "sliding_attention");
  }
  if (!any(config.windowed)) {
    config.windowed.clear();
    config.window = 0;
  } else if (config.window == 0) {
    throw keys.fail("sliding_window", "set, because 'layer_types' has sliding_attention");
  }
}

ConfigKeys::Json LlamaLike::layer_types_json(const CheckpointConfig& c) {
  ConfigKeys::Json types = ConfigKeys::Json::array();
  for (int64_t layer = 0; layer < c.layers; ++layer) {
    types.push_back(c.window_of(layer) > 0 ? "sliding_attention" : "full_attention");
  }
  return types;
}

std::string LlamaLike::refuse_windows(const CheckpointConfig& c) {
  return unless(c.window == 0, "window", "0 in every layer");
}

std::string LlamaLike::refuse_qkv_bias(const CheckpointConfig& c) {
  return unless(!c.qkv_bias, "model.qkv_bias", "false");
}

std::string LlamaLike::refuse_qk_norm(const CheckpointConfig& c) {
  return unless(!c.qk_norm, "model.qk_norm", "false");
}

std::string LlamaLike::refuse_no_rope(const CheckpointConfig& c) {
  return unless(!any(c.no_rope), "encoding.use", "rope in every layer");
}

}  // namespace rfs
