#include "rfs/core/format.h"
#include "rfs/interchange/family.h"
#include "rfs/positions/indexing.h"

namespace rfs {
namespace {

/// GPT-2: learned positions, and linear maps stored as [in, out].
class Gpt2Family : public ModelFamily {
 public:
  using Options = NoOptions;
  explicit Gpt2Family(const Options&) {}

  std::string title() const override { return "GPT-2"; }
  std::string architecture() const override { return "GPT2LMHeadModel"; }
  std::string prefix() const override { return "transformer."; }
  std::string gguf() const override { return "gpt2"; }

  void read(ConfigKeys& keys, CheckpointConfig& config) const override {
    config.vocabulary = keys.size("vocab_size");
    config.width = keys.size("n_embd", 65'536);
    config.layers = keys.size("n_layer", 1000);
    config.heads = keys.size("n_head", 1024);
    config.kv_heads = config.heads;
    if (config.width % config.heads != 0)
      throw keys.fail("n_embd", rfs::format("a multiple of {} heads", config.heads));
    config.head_width = config.width / config.heads;
    config.feed_width = keys.size_or("n_inner", 4 * config.width);
    config.learned_rows = keys.size("n_positions", 1 << 20);
    read_tokens(keys, config, config.learned_rows);
    config.norm = Norm::layer;
    config.norm_epsilon = keys.positive("layer_norm_epsilon", 1e-5);
    config.activation = FeedForward::gelu;
    config.bias = true;
    config.tied = keys.boolean("tie_word_embeddings", true);
    keys.require("activation_function", {"gelu_new", "gelu_pytorch_tanh", "gelu_fast"},
                 "rfs has the tanh form of GELU here");
    keys.require("scale_attn_weights", {true}, "rfs divides scores by sqrt(head width)");
    keys.require("scale_attn_by_inverse_layer_idx", {false}, "rfs scales the scores of all layers alike");
  }

  std::string refusal(const CheckpointConfig& c) const override {
    const bool one_kind = c.window == 0 && c.no_rope.empty();
    for (const auto& problem :
         {unless(c.norm == Norm::layer, "model.norm", "layer"), unless(c.bias, "model.bias", "true"),
          unless(c.activation == FeedForward::gelu, "model.activation", "gelu"),
          unless(c.kv_heads == c.heads, "model.kv_heads", "0"), unless(!c.qk_norm, "model.qk_norm", "false"),
          unless(!c.parallel, "model.parallel", "false"), unless(c.learned_rows > 0, "encoding.use", "learned"),
          unless(c.tokens <= c.learned_rows, "--tokens", rfs::format("at most {}, encoding.size", c.learned_rows)),
          unless(c.heads * c.head_width == c.width, "model.width",
                 rfs::format("heads * head_width, {}", c.heads * c.head_width)),
          unless(one_kind, "layers", "all alike and without a window")}) {
      if (!problem.empty()) return problem;
    }
    return "";
  }

  ConfigKeys::Json write(const CheckpointConfig& c) const override {
    return {{"vocab_size", c.vocabulary},
            {"n_embd", c.width},
            {"n_layer", c.layers},
            {"n_head", c.heads},
            {"n_inner", c.feed_width},
            {"n_positions", c.learned_rows},
            {"activation_function", "gelu_new"},
            {"layer_norm_epsilon", c.norm_epsilon},
            {"tie_word_embeddings", c.tied}};
  }

  std::vector<CheckpointTensor> tensors(const CheckpointConfig& c) const override {
    std::vector<CheckpointTensor> tensors;
    const auto add = [&](const std::string& ours, const std::string& hf, const std::string& gguf, int64_t out,
                         int64_t in) {
      const bool is_map = in > 0;
      tensors.push_back({ours + ".weight", hf + ".weight", gguf + ".weight",
                         is_map ? std::vector<int64_t>{in, out} : std::vector<int64_t>{out}, 0,
                         is_map ? TensorLayout::transposed : TensorLayout::plain});
      tensors.push_back({ours + ".bias", hf + ".bias", gguf + ".bias", {out}});
    };
    tensors.push_back({"embedding.weight", "transformer.wte.weight", "token_embd.weight", {c.vocabulary, c.width}});
    tensors.push_back({"encoding.table", "transformer.wpe.weight", "position_embd.weight", {c.learned_rows, c.width}});
    for (int64_t layer = 0; layer < c.layers; ++layer) {
      const auto ours = rfs::format("blocks.{}.", layer), hf = rfs::format("transformer.h.{}.", layer),
                 gguf = rfs::format("blk.{}.", layer);
      add(ours + "attention_norm", hf + "ln_1", gguf + "attn_norm", c.width, 0);
      add(ours + "attention.qkv", hf + "attn.c_attn", gguf + "attn_qkv", 3 * c.width, c.width);
      add(ours + "attention.out", hf + "attn.c_proj", gguf + "attn_output", c.width, c.width);
      add(ours + "feed_norm", hf + "ln_2", gguf + "ffn_norm", c.width, 0);
      add(ours + "feed.in", hf + "mlp.c_fc", gguf + "ffn_up", c.feed_width, c.width);
      add(ours + "feed.out", hf + "mlp.c_proj", gguf + "ffn_down", c.width, c.feed_width);
    }
    add("final_norm", "transformer.ln_f", "output_norm", c.width, 0);
    if (!c.tied) tensors.push_back({"head.weight", "lm_head.weight", "output.weight", {c.vocabulary, c.width}});
    return tensors;
  }
};

const bool registered = Registry<ModelFamily>::add<Gpt2Family>("GPT-2");

}  // namespace
}  // namespace rfs
