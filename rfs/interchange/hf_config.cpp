#include "rfs/interchange/hf_config.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"

namespace rfs {
namespace {

using Json = nlohmann::ordered_json;

/// Programs read max_position_embeddings as the maximum number of input tokens. lm-evaluation-harness fails if a choice
/// has more. RoPE reads inputs of any length, so the exported value is never below the harness's default. The input
/// length that the positions are made for is in a separate key, which `transformers` keeps.
constexpr int64_t least_limit = 2048;
constexpr const char* planned_tokens = "rfs_planned_tokens";

/// `transformers` truncates share * head_width to an integer, so rounding must not lose a dim.
double rotary_share(const NeoxConfig& config) {
  const auto width = static_cast<double>(config.head_width());
  double share = static_cast<double>(config.rotated) / width;
  while (static_cast<int64_t>(share * width) < config.rotated) share = std::nextafter(share, 2.0);
  return share;
}

/// A JSON object in which every key must be asked for. An unknown key might change what the model computes.
class Keys {
 public:
  Keys(const Json& json, std::string where) : json_(json), where_(std::move(where)) {}

  Error fail(const std::string& key, const std::string& rule) const {
    return Error(
        rfs::format("{}: '{}' must be {}, got {}", where_, key, rule, shortened(json_.value(key, Json()).dump())));
  }
  const Json* find(const std::string& key) {
    known_.push_back(key);
    const auto it = json_.find(key);
    return it == json_.end() || it->is_null() ? nullptr : &*it;
  }
  int64_t size(const std::string& key, int64_t most = int64_t{1} << 30) {
    const Json* value = find(key);
    if (!value || !value->is_number_integer() || value->get<int64_t>() < 1 || value->get<int64_t>() > most) {
      throw fail(key, rfs::format("an integer from 1 to {}", most));
    }
    return value->get<int64_t>();
  }
  double positive(const std::string& key, double absent) {
    const Json* value = find(key);
    if (!value) return absent;
    if (!value->is_number() || !(value->get<double>() > 0)) throw fail(key, "a positive number");
    return value->get<double>();
  }
  bool boolean(const std::string& key, bool absent) {
    const Json* value = find(key);
    if (value && !value->is_boolean()) throw fail(key, "true or false");
    return value ? value->get<bool>() : absent;
  }
  std::string text(const std::string& key, const std::string& absent) {
    const Json* value = find(key);
    if (value && !value->is_string()) throw fail(key, "a string");
    return value ? value->get<std::string>() : absent;
  }
  void ignore(const std::vector<std::string>& keys) { known_.insert(known_.end(), keys.begin(), keys.end()); }
  void require_known() const {
    for (const auto& [key, value] : json_.items()) {
      if (std::find(known_.begin(), known_.end(), key) == known_.end()) {
        throw Error(where_ + ": " + unknown("key", key, known_));
      }
    }
  }

 private:
  const Json& json_;
  std::string where_;
  std::vector<std::string> known_;
};

struct Rope {
  double share = 0.25, base = 10'000, factor = 1;
};

/// transformers 4 writes `rotary_pct`, `rotary_emb_base` and `rope_scaling`; version 5 writes everything in
/// `rope_parameters`. Version 4 also writes the first two under the names that other models use.
Rope read_rope(Keys& keys, const std::string& where) {
  Rope rope;
  rope.share = keys.positive("rotary_pct", rope.share);
  rope.base = keys.positive("rotary_emb_base", rope.base);
  for (const char* table : {"rope_scaling", "rope_parameters"}) {
    const Json* found = keys.find(table);
    if (!found) continue;
    if (!found->is_object()) throw keys.fail(table, "an object");
    Keys inner(*found, where + " " + table);
    const std::string type = inner.text("rope_type", inner.text("type", "default"));
    if (type != "default" && type != "linear")
      throw inner.fail("rope_type", "default or linear (rfs supports no other RoPE scaling)");
    if (type == "linear") {
      if (!inner.find("factor")) throw inner.fail("factor", "a positive number");
      rope.factor = inner.positive("factor", 1);
    }
    rope.share = inner.positive("partial_rotary_factor", rope.share);
    rope.base = inner.positive("rope_theta", rope.base);
    inner.require_known();
  }
  if (keys.positive("partial_rotary_factor", rope.share) != rope.share) {
    throw keys.fail("partial_rotary_factor", rfs::format("{}, the value of rotary_pct", rope.share));
  }
  if (keys.positive("rope_theta", rope.base) != rope.base) {
    throw keys.fail("rope_theta", rfs::format("{}, the value of rotary_emb_base", rope.base));
  }
  return rope;
}

}  // namespace

std::string hf_config(const NeoxConfig& c) {
  const Json end = c.end < 0 ? Json() : Json(c.end);
  Json json = {{"architectures", {"GPTNeoXForCausalLM"}},
               {"model_type", "gpt_neox"},
               {"vocab_size", c.vocabulary},
               {"hidden_size", c.width},
               {"num_hidden_layers", c.layers},
               {"num_attention_heads", c.heads},
               {"intermediate_size", c.feed_width},
               {"hidden_act", "gelu_new"},
               {"layer_norm_eps", c.norm_epsilon},
               {"use_parallel_residual", false},
               {"attention_bias", true},
               {"tie_word_embeddings", c.tied},
               {"rotary_pct", rotary_share(c)},
               {"rotary_emb_base", c.base},
               {"max_position_embeddings", std::max(c.tokens, least_limit)},
               {planned_tokens, c.tokens}};
  if (c.factor != 1) json["rope_scaling"] = {{"rope_type", "linear"}, {"factor", c.factor}};
  json["bos_token_id"] = end;
  json["eos_token_id"] = end;
  json["torch_dtype"] = "float32";
  return json.dump(2) + "\n";
}

NeoxConfig read_hf_config(const std::filesystem::path& path) {
  const std::string where = path.string();
  const auto json = Json::parse(read_file(path), nullptr, false);
  if (!json.is_object()) throw Error(where + ": not a JSON object");
  Keys keys(json, where);
  if (keys.text("model_type", "") != "gpt_neox") throw keys.fail("model_type", "gpt_neox");
  NeoxConfig config;
  config.vocabulary = keys.size("vocab_size");
  config.width = keys.size("hidden_size");
  config.layers = keys.size("num_hidden_layers", 1000);
  config.heads = keys.size("num_attention_heads");
  config.feed_width = keys.size("intermediate_size");
  config.tokens = keys.size("max_position_embeddings", PositionIndexing::longest_row);
  if (keys.find(planned_tokens)) config.tokens = keys.size(planned_tokens, PositionIndexing::longest_row);
  config.norm_epsilon = keys.positive("layer_norm_eps", 1e-5);
  config.tied = keys.boolean("tie_word_embeddings", false);
  if (config.width % config.heads != 0)
    throw keys.fail("hidden_size", rfs::format("a multiple of {} heads", config.heads));
  if (keys.boolean("use_parallel_residual", true)) {
    throw keys.fail("use_parallel_residual", "false (rfs has no parallel residual branches)");
  }
  if (!keys.boolean("attention_bias", true))
    throw keys.fail("attention_bias", "true (rfs imports only linear maps with biases)");
  const std::string activation = keys.text("hidden_act", "gelu");
  if (activation != "gelu_new" && activation != "gelu_pytorch_tanh") {
    throw keys.fail("hidden_act", "gelu_new or gelu_pytorch_tanh (rfs has only the tanh GELU)");
  }
  const Rope rope = read_rope(keys, where);
  config.base = rope.base;
  config.factor = rope.factor;
  config.rotated = static_cast<int64_t>(rope.share * static_cast<double>(config.head_width()));
  if (config.rotated < 2 || config.rotated % 2 != 0 || config.rotated > config.head_width()) {
    throw Error(rfs::format("{}: the number of rotated dims must be even, from 2 to {}, got {}", where,
                            config.head_width(), config.rotated));
  }
  if (const Json* end = keys.find("eos_token_id"); end && end->is_number_integer()) config.end = end->get<int64_t>();
  if (config.end >= config.vocabulary) config.end = -1;
  keys.ignore({"architectures", "torch_dtype", "dtype", "transformers_version", "use_cache", "initializer_range",
               "attention_dropout", "hidden_dropout", "classifier_dropout", "bos_token_id", "pad_token_id",
               "_name_or_path", "is_decoder", "gradient_checkpointing"});
  keys.require_known();
  return config;
}

}  // namespace rfs
