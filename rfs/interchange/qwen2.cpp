#include "rfs/interchange/qwen.h"

namespace rfs {
namespace {

/// Qwen 2 and 2.5: biases for queries, keys and values.
class Qwen2 : public Qwen {
 public:
  using Options = NoOptions;
  explicit Qwen2(const Options&) {}

  std::string title() const override { return "Qwen2"; }
  std::string architecture() const override { return "Qwen2ForCausalLM"; }
  std::string gguf() const override { return "qwen2"; }

  void read(ConfigKeys& keys, CheckpointConfig& config) const override {
    Qwen::read(keys, config);
    if (config.bias) throw keys.fail("attention_bias", "false (Qwen2 has no such key)");
    config.qkv_bias = true;
  }
  std::string refusal(const CheckpointConfig& c) const override {
    for (const auto& problem : {Qwen::refusal(c), refuse_qk_norm(c), unless(c.qkv_bias, "model.qkv_bias", "true"),
                                unless(c.head_width * c.heads == c.width, "model.width", "heads * head_width")}) {
      if (!problem.empty()) return problem;
    }
    return "";
  }
  ConfigKeys::Json write(const CheckpointConfig& c) const override {
    auto json = Qwen::write(c);
    json.erase("head_dim");
    return json;
  }
};

const bool registered = Registry<ModelFamily>::add<Qwen2>("Qwen 2 and 2.5");

}  // namespace
}  // namespace rfs
