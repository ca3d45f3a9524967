#include "rfs/interchange/qwen.h"

namespace rfs {

void Qwen::read(ConfigKeys& keys, CheckpointConfig& config) const {
  LlamaLike::read(keys, config);
  const auto* first = keys.find("max_window_layers");
  if (first && (!first->is_number_integer() || first->get<int64_t>() < 0)) {
    throw keys.fail("max_window_layers", "a number of layers");
  }
  const int64_t full = first ? first->get<int64_t>() : 28;
  const int64_t window = keys.size_or("sliding_window", 4096);
  if (keys.boolean("use_sliding_window", false)) {
    config.window = window;
    for (int64_t layer = 0; layer < config.layers; ++layer) config.windowed.push_back(layer >= full);
  }
  read_layer_types(keys, config);
  if (config.windowed == std::vector<bool>(config.windowed.size(), false)) {
    config.windowed.clear();
    config.window = 0;
  }
}

std::string Qwen::refusal(const CheckpointConfig& c) const {
  for (const auto& problem : {LlamaLike::refusal(c), refuse_no_rope(c), unless(!c.bias, "model.bias", "false")}) {
    if (!problem.empty()) return problem;
  }
  return "";
}

ConfigKeys::Json Qwen::write(const CheckpointConfig& c) const {
  auto json = LlamaLike::write(c);
  json["use_sliding_window"] = c.window > 0;
  json["max_window_layers"] = c.layers;
  if (c.window > 0) {
    json["sliding_window"] = c.window;
    json["layer_types"] = layer_types_json(c);
  }
  return json;
}

std::string Qwen::gguf_refusal(const CheckpointConfig& c) const {
  return c.window > 0 ? "llama.cpp ignores the attention windows of Qwen" : "";
}

}  // namespace rfs
