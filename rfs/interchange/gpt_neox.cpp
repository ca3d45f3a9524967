#include <algorithm>

#include "rfs/core/format.h"
#include "rfs/interchange/family.h"

namespace rfs {
namespace {

/// GPT-NeoX and Pythia: GPT-2's block with RoPE, and parallel branches in the published models.
class GptNeox : public ModelFamily {
 public:
  using Options = NoOptions;
  explicit GptNeox(const Options&) {}

  std::string title() const override { return "GPT-NeoX"; }
  std::string architecture() const override { return "GPTNeoXForCausalLM"; }
  std::string prefix() const override { return "gpt_neox."; }
  std::string gguf() const override { return "gptneox"; }
  std::string gguf_refusal(const CheckpointConfig& c) const override {
    return c.activation == FeedForward::gelu_erf ? "llama.cpp computes the tanh form of GELU" : "";
  }

  void read(ConfigKeys& keys, CheckpointConfig& config) const override {
    read_sizes(keys, config);
    if (config.width % config.heads != 0)
      throw keys.fail("hidden_size", rfs::format("a multiple of {} heads", config.heads));
    config.head_width = config.width / config.heads;
    config.norm = Norm::layer;
    config.norm_epsilon = keys.positive("layer_norm_eps", 1e-5);
    config.tied = keys.boolean("tie_word_embeddings", false);
    config.parallel = keys.boolean("use_parallel_residual", true);
    config.bias = true;
    if (!keys.boolean("attention_bias", true))
      throw keys.fail("attention_bias", "true (rfs has biases in all linear maps, or in none)");
    const std::string activation = keys.text("hidden_act", "gelu");
    const std::vector<std::string> tanh_forms = {"gelu_new", "gelu_pytorch_tanh", "gelu_fast"};
    const bool is_tanh = std::find(tanh_forms.begin(), tanh_forms.end(), activation) != tanh_forms.end();
    if (activation != "gelu" && !is_tanh) {
      throw keys.fail("hidden_act", rfs::format("gelu, {}", join(tanh_forms, " or ")));
    }
    config.activation = is_tanh ? FeedForward::gelu : FeedForward::gelu_erf;
    read_rope(keys, config, "rotary_emb_base", "rotary_pct", 0.25);
  }

  std::string refusal(const CheckpointConfig& c) const override {
    const bool one_kind = c.window == 0 && c.no_rope.empty();
    for (const auto& problem :
         {unless(c.norm == Norm::layer, "model.norm", "layer"), unless(c.bias, "model.bias", "true"),
          unless(c.activation == FeedForward::gelu || c.activation == FeedForward::gelu_erf, "model.activation",
                 "gelu or gelu_erf"),
          unless(c.kv_heads == c.heads, "model.kv_heads", "0"), unless(!c.qk_norm, "model.qk_norm", "false"),
          unless(c.learned_rows == 0, "encoding.use", "rope"),
          unless(c.heads * c.head_width == c.width, "model.width",
                 rfs::format("heads * head_width, {}", c.heads * c.head_width)),
          unless(one_kind, "layers", "all alike and without a window")}) {
      if (!problem.empty()) return problem;
    }
    return "";
  }

  ConfigKeys::Json write(const CheckpointConfig& c) const override {
    ConfigKeys::Json json = {{"vocab_size", c.vocabulary},
                             {"hidden_size", c.width},
                             {"num_hidden_layers", c.layers},
                             {"num_attention_heads", c.heads},
                             {"intermediate_size", c.feed_width},
                             {"hidden_act", c.activation == FeedForward::gelu_erf ? "gelu" : "gelu_new"},
                             {"layer_norm_eps", c.norm_epsilon},
                             {"use_parallel_residual", c.parallel},
                             {"attention_bias", true},
                             {"tie_word_embeddings", c.tied},
                             {"rotary_pct", rotary_share(c)},
                             {"rotary_emb_base", c.base}};
    if (const auto scaling = rope_scaling_json(c); !scaling.empty()) json["rope_scaling"] = scaling;
    return json;
  }

  std::vector<CheckpointTensor> tensors(const CheckpointConfig& c) const override {
    std::vector<CheckpointTensor> tensors;
    const auto add = [&](const std::string& ours, const std::string& hf, const std::string& gguf,
                         const std::vector<int64_t>& shape, TensorLayout layout = TensorLayout::plain) {
      tensors.push_back({ours + ".weight", hf + ".weight", gguf + ".weight", shape, 0, layout});
      const bool has_bias = ours != "embedding" && ours != "head";
      if (has_bias) tensors.push_back({ours + ".bias", hf + ".bias", gguf + ".bias", {shape.front()}, 0, layout});
    };
    add("embedding", "gpt_neox.embed_in", "token_embd", {c.vocabulary, c.width});
    for (int64_t layer = 0; layer < c.layers; ++layer) {
      const auto ours = rfs::format("blocks.{}.", layer), hf = rfs::format("gpt_neox.layers.{}.", layer),
                 gguf = rfs::format("blk.{}.", layer);
      add(ours + "attention_norm", hf + "input_layernorm", gguf + "attn_norm", {c.width});
      add(ours + "attention.qkv", hf + "attention.query_key_value", gguf + "attn_qkv", {3 * c.width, c.width},
          TensorLayout::by_head);
      add(ours + "attention.out", hf + "attention.dense", gguf + "attn_output", {c.width, c.width});
      add(ours + "feed_norm", hf + "post_attention_layernorm", gguf + "ffn_norm", {c.width});
      add(ours + "feed.in", hf + "mlp.dense_h_to_4h", gguf + "ffn_up", {c.feed_width, c.width});
      add(ours + "feed.out", hf + "mlp.dense_4h_to_h", gguf + "ffn_down", {c.width, c.feed_width});
    }
    add("final_norm", "gpt_neox.final_layer_norm", "output_norm", {c.width});
    if (!c.tied) add("head", "embed_out", "output", {c.vocabulary, c.width});
    return tensors;
  }
};

const bool registered = Registry<ModelFamily>::add<GptNeox>("GPT-NeoX, Pythia");

}  // namespace
}  // namespace rfs
