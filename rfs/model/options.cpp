#include "rfs/model/options.h"

#include <map>

#include "rfs/core/error.h"
#include "rfs/core/format.h"

namespace rfs {
namespace {

using Preset = std::vector<std::pair<std::string, std::variant<bool, int64_t, double, std::string, Value::List>>>;

const std::map<std::string, Preset>& presets() {
  static const std::map<std::string, Preset> all = {
      {"t5-base", {}},  // the defaults
      {"gpt2",
       {{"norm", std::string("layer")},
        {"norm_epsilon", 1e-5},
        {"bias", true},
        {"activation", std::string("gelu")},
        {"scale_scores", true},
        {"scale_head", false},
        {"initialisation", std::string("gpt2")},
        {"dropout", 0.0}}},
      {"llama",
       {{"kv_heads", int64_t{4}},
        {"feed_width", int64_t{2048}},
        {"norm_epsilon", 1e-5},
        {"activation", std::string("swiglu")},
        {"scale_scores", true},
        {"tied", false},
        {"scale_head", false},
        {"initialisation", std::string("gpt2")},
        {"dropout", 0.0}}},
      {"tiny",
       {{"layers", int64_t{2}},
        {"width", int64_t{128}},
        {"heads", int64_t{4}},
        {"head_width", int64_t{32}},
        {"feed_width", int64_t{512}},
        {"dropout", 0.0}}},
  };
  return all;
}

}  // namespace

DecoderOptions DecoderOptions::read(const Table* table) {
  DecoderOptions options;
  if (const Value* preset = table ? table->find("preset") : nullptr) options.set("model", "preset", *preset);
  for (const auto& [key, value] : presets().at(*options.preset)) {
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
