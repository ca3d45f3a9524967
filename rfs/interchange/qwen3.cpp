#include "rfs/interchange/qwen.h"

namespace rfs {
namespace {

/// Qwen 3: an RMSNorm of each head's queries and keys, and heads of any width.
class Qwen3 : public Qwen {
 public:
  using Options = NoOptions;
  explicit Qwen3(const Options&) {}

  std::string title() const override { return "Qwen3"; }
  std::string architecture() const override { return "Qwen3ForCausalLM"; }
  std::string gguf() const override { return "qwen3"; }

  void read(ConfigKeys& keys, CheckpointConfig& config) const override {
    Qwen::read(keys, config);
    if (config.bias) throw keys.fail("attention_bias", "false");
    config.qk_norm = true;
  }
  std::string refusal(const CheckpointConfig& c) const override {
    for (const auto& problem : {Qwen::refusal(c), refuse_qkv_bias(c), unless(c.qk_norm, "model.qk_norm", "true")}) {
      if (!problem.empty()) return problem;
    }
    return "";
  }
  ConfigKeys::Json write(const CheckpointConfig& c) const override {
    auto json = Qwen::write(c);
    json["attention_bias"] = false;
    return json;
  }

 protected:
  Defaults defaults() const override { return {.head_width = 128}; }
};

const bool registered = Registry<ModelFamily>::add<Qwen3>("Qwen 3");

}  // namespace
}  // namespace rfs
