#include "rfs/model/options.h"

#include <algorithm>

#include "rfs/core/error.h"
#include "rfs/core/format.h"

namespace rfs {
namespace {

using Preset = std::vector<std::pair<std::string, std::variant<bool, int64_t, double, std::string, Value::List>>>;

Preset gpt2_block() {
  return {{"norm", std::string("layer")},          {"norm_epsilon", 1e-5}, {"bias", true},
          {"activation", std::string("gelu")},     {"scale_scores", true}, {"scale_head", false},
          {"initialisation", std::string("gpt2")}, {"dropout", 0.0}};
}

Preset llama_block() {
  return {{"norm_epsilon", 1e-5}, {"activation", std::string("swiglu")},   {"scale_scores", true}, {"tied", false},
          {"scale_head", false},  {"initialisation", std::string("gpt2")}, {"dropout", 0.0}};
}

/// Values of `[model]` that give a block its size; the others keep their defaults.
struct Size {
  int64_t layers, width, heads, kv_heads, head_width, feed_width;
};

Preset sized(Preset block, const Size& size) {
  for (const auto& [key, value] : {std::pair{"layers", size.layers},
                                   {"width", size.width},
                                   {"heads", size.heads},
                                   {"kv_heads", size.kv_heads},
                                   {"head_width", size.head_width},
                                   {"feed_width", size.feed_width}}) {
    block.emplace_back(key, value);
  }
  return block;
}

const std::vector<std::pair<std::string, Preset>>& presets() {
  static const std::vector<std::pair<std::string, Preset>> all = {
      // layers, width, heads, kv_heads, head_width, feed_width
      {"t5-base", {}},  // the defaults
      {"gpt2", sized(gpt2_block(), {12, 768, 12, 0, 64, 3072})},
      {"gpt2-medium", sized(gpt2_block(), {24, 1024, 16, 0, 64, 4096})},
      {"gpt2-large", sized(gpt2_block(), {36, 1280, 20, 0, 64, 5120})},
      {"gpt2-xl", sized(gpt2_block(), {48, 1600, 25, 0, 64, 6400})},
      {"llama", sized(llama_block(), {12, 768, 12, 4, 64, 2048})},
      {"llama-0.5b", sized(llama_block(), {24, 896, 14, 2, 64, 4864})},
      {"llama-1b", sized(llama_block(), {22, 2048, 32, 4, 64, 5632})},
      {"llama-3b", sized(llama_block(), {28, 3072, 48, 8, 64, 8192})},
      {"tiny", sized({{"dropout", 0.0}}, {2, 128, 4, 0, 32, 512})},
  };
  return all;
}

const Preset& preset_of(const std::string& name) {
  const auto& all = presets();
  return std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.first == name; })->second;
}

}  // namespace

std::vector<std::string> model_presets() {
  std::vector<std::string> names;
  for (const auto& [name, values] : presets()) names.push_back(name);
  return names;
}

DecoderOptions DecoderOptions::read(const Table* table) {
  DecoderOptions options;
  if (const Value* preset = table ? table->find("preset") : nullptr) options.set("model", "preset", *preset);
  for (const auto& [key, value] : preset_of(options.preset)) {
    options.set("model", key, Value{value, "preset " + *options.preset});
  }
  if (table) options.read(*table);
  if (options.heads % options.key_heads() != 0) {
    throw Error(
        rfs::format("model.kv_heads: must divide model.heads, got {} for {} heads", *options.kv_heads, *options.heads));
  }
  return options;
}

}  // namespace rfs
