#include "rfs/interchange/llama_like.h"

namespace rfs {
namespace {

/// Llama 1, 2 and 3, SmolLM and many others. Llama 3 scales RoPE with `llama3`.
class Llama : public LlamaLike {
 public:
  using Options = NoOptions;
  explicit Llama(const Options&) {}

  std::string title() const override { return "Llama"; }
  std::string architecture() const override { return "LlamaForCausalLM"; }
  std::string gguf() const override { return "llama"; }
  bool gguf_has_pairs() const override { return true; }

  std::string refusal(const CheckpointConfig& c) const override {
    for (const auto& problem :
         {LlamaLike::refusal(c), refuse_windows(c), refuse_qkv_bias(c), refuse_qk_norm(c), refuse_no_rope(c)}) {
      if (!problem.empty()) return problem;
    }
    return "";
  }
  ConfigKeys::Json write(const CheckpointConfig& c) const override {
    auto json = LlamaLike::write(c);
    json["attention_bias"] = c.bias;
    json["mlp_bias"] = c.bias;
    return json;
  }
};

const bool registered = Registry<ModelFamily>::add<Llama>("Llama, SmolLM");

}  // namespace
}  // namespace rfs
