#include "rfs/interchange/llama_like.h"

namespace rfs {
namespace {

/// SmolLM3: Llama with layers without RoPE, by default every fourth.
class SmolLm3 : public LlamaLike {
 public:
  using Options = NoOptions;
  explicit SmolLm3(const Options&) {}

  std::string title() const override { return "SmolLM3"; }
  std::string architecture() const override { return "SmolLM3ForCausalLM"; }
  std::string gguf() const override { return "smollm3"; }
  bool gguf_has_pairs() const override { return true; }
  std::string gguf_refusal(const CheckpointConfig& c) const override {
    for (int64_t layer = 0; layer < c.layers; ++layer) {
      if (c.layer_has_rope(layer) != ((layer + 1) % 4 != 0)) {
        return "llama.cpp supports layers without RoPE only if they are every fourth one";
      }
    }
    return "";
  }

  void read(ConfigKeys& keys, CheckpointConfig& config) const override {
    LlamaLike::read(keys, config);
    keys.require("use_sliding_window", {false}, "rfs imports SmolLM3 without attention windows");
    for (const char* of_windows : {"sliding_window", "max_window_layers"}) keys.find(of_windows);
    read_layer_types(keys, config);
    const int64_t interval = keys.size_or("no_rope_layer_interval", 4);
    const auto layers = keys.list("no_rope_layers", config.layers);
    for (int64_t layer = 0; layer < config.layers; ++layer) {
      if (layers.empty()) {
        config.no_rope.push_back((layer + 1) % interval == 0);
        continue;
      }
      const auto& value = layers[static_cast<size_t>(layer)];
      if (value != 0 && value != 1) throw keys.fail("no_rope_layers", "1 (RoPE) or 0 (none) for each layer");
      config.no_rope.push_back(value == 0);
    }
    if (config.no_rope == std::vector<bool>(config.no_rope.size(), false)) config.no_rope.clear();
  }
  std::string refusal(const CheckpointConfig& c) const override {
    for (const auto& problem : {LlamaLike::refusal(c), refuse_windows(c), refuse_qkv_bias(c), refuse_qk_norm(c),
                                unless(c.head_width * c.heads == c.width, "model.width", "heads * head_width")}) {
      if (!problem.empty()) return problem;
    }
    return "";
  }
  ConfigKeys::Json write(const CheckpointConfig& c) const override {
    auto json = LlamaLike::write(c);
    json.erase("head_dim");
    json["attention_bias"] = c.bias;
    json["mlp_bias"] = c.bias;
    auto layers = ConfigKeys::Json::array();
    for (int64_t layer = 0; layer < c.layers; ++layer) layers.push_back(c.layer_has_rope(layer) ? 1 : 0);
    json["no_rope_layers"] = layers;
    return json;
  }

 protected:
  Defaults defaults() const override { return {.tied = true, .base = 2'000'000}; }
};

const bool registered = Registry<ModelFamily>::add<SmolLm3>("SmolLM3");

}  // namespace
}  // namespace rfs
