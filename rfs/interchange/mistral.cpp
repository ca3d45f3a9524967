#include "rfs/interchange/llama_like.h"

namespace rfs {
namespace {

/// Llama with an attention window in every layer.
class Mistral : public LlamaLike {
 public:
  using Options = NoOptions;
  explicit Mistral(const Options&) {}

  std::string title() const override { return "Mistral"; }
  std::string architecture() const override { return "MistralForCausalLM"; }
  std::string gguf() const override { return "llama"; }
  bool gguf_has_pairs() const override { return true; }
  std::string gguf_refusal(const CheckpointConfig& c) const override {
    return c.window > 0 ? "llama.cpp ignores the attention window of Mistral" : "";
  }

  void read(ConfigKeys& keys, CheckpointConfig& config) const override {
    LlamaLike::read(keys, config);
    // An absent key has the value of Mistral 7B; null means no window.
    config.window = keys.find("sliding_window") ? keys.size("sliding_window") : keys.has("sliding_window") ? 0 : 4096;
    if (config.window > 0) config.windowed.assign(static_cast<size_t>(config.layers), true);
    read_layer_types(keys, config);
  }
  std::string refusal(const CheckpointConfig& c) const override {
    for (const auto& problem :
         {LlamaLike::refusal(c), refuse_qkv_bias(c), refuse_qk_norm(c), refuse_no_rope(c),
          unless(!c.bias, "model.bias", "false"),
          unless(c.window == 0 || c.windowed == std::vector<bool>(static_cast<size_t>(c.layers), true), "window",
                 "the same in every layer")}) {
      if (!problem.empty()) return problem;
    }
    return "";
  }
  ConfigKeys::Json write(const CheckpointConfig& c) const override {
    auto json = LlamaLike::write(c);
    json["sliding_window"] = c.window > 0 ? ConfigKeys::Json(c.window) : ConfigKeys::Json();
    return json;
  }

 protected:
  Defaults defaults() const override { return {}; }
};

const bool registered = Registry<ModelFamily>::add<Mistral>("Mistral");

}  // namespace
}  // namespace rfs
