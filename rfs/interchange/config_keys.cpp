#include "rfs/interchange/config_keys.h"

#include <algorithm>
#include <cmath>

#include "rfs/core/did_you_mean.h"
#include "rfs/core/format.h"
#include "rfs/positions/indexing.h"

namespace rfs {
namespace {

using Json = ConfigKeys::Json;

/// Programs read max_position_embeddings as the maximum number of input tokens. lm-evaluation-harness fails if a choice
/// has more. RoPE reads inputs of any length, so the exported value is never below the harness's default. The input
/// length that the positions are made for is in a separate key, which `transformers` keeps.
constexpr int64_t least_limit = 2048;
constexpr const char* planned_tokens = "rfs_planned_tokens";

/// Keys that do not change what a model computes: how to train, save, generate or distribute it, and dropout.
const std::vector<std::string> harmless = {"_attn_implementation",
                                           "_attn_implementation_autoset",
                                           "_name_or_path",
                                           "_num_labels",
                                           "attention_dropout",
                                           "attention_probs_dropout_prob",
                                           "attn_pdrop",
                                           "bad_words_ids",
                                           "begin_suppress_tokens",
                                           "chunk_size_feed_forward",
                                           "classifier_dropout",
                                           "diversity_penalty",
                                           "do_sample",
                                           "dtype",
                                           "early_stopping",
                                           "embd_pdrop",
                                           "encoder_no_repeat_ngram_size",
                                           "exponential_decay_length_penalty",
                                           "finetuning_task",
                                           "forced_bos_token_id",
                                           "forced_eos_token_id",
                                           "gradient_checkpointing",
                                           "hidden_dropout",
                                           "hidden_dropout_prob",
                                           "id2label",
                                           "initializer_range",
                                           "is_decoder",
                                           "label2id",
                                           "length_penalty",
                                           "max_length",
                                           "max_sequence_length",
                                           "min_length",
                                           "n_ctx",
                                           "no_repeat_ngram_size",
                                           "num_beam_groups",
                                           "num_beams",
                                           "num_labels",
                                           "num_return_sequences",
                                           "output_attentions",
                                           "output_hidden_states",
                                           "output_past",
                                           "output_scores",
                                           "predict_special_tokens",
                                           "prefix",
                                           "pretraining_tp",
                                           "problem_type",
                                           "remove_invalid_values",
                                           "reorder_and_upcast_attn",
                                           "repetition_penalty",
                                           "resid_pdrop",
                                           "return_dict",
                                           "return_dict_in_generate",
                                           "sep_token_id",
                                           "summary_activation",
                                           "summary_first_dropout",
                                           "summary_proj_to_labels",
                                           "summary_type",
                                           "summary_use_proj",
                                           "suppress_tokens",
                                           "task_specific_params",
                                           "temperature",
                                           "tf_legacy_loss",
                                           "tokenizer_class",
                                           "top_k",
                                           "top_p",
                                           "torch_dtype",
                                           "torchscript",
                                           "transformers.js_config",
                                           "transformers_version",
                                           "typical_p",
                                           "unsloth_fixed",
                                           "unsloth_version",
                                           "use_bfloat16",
                                           "use_cache"};

}  // namespace

Error ConfigKeys::fail(const std::string& key, const std::string& rule) const {
  return Error(
      rfs::format("{}: '{}' must be {}, got {}", where_, key, rule, shortened(json_.value(key, Json()).dump())));
}

const Json* ConfigKeys::find(const std::string& key) {
  known_.push_back(key);
  const auto it = json_.find(key);
  return it == json_.end() || it->is_null() ? nullptr : &*it;
}

int64_t ConfigKeys::size(const std::string& key, int64_t most) {
  const Json* value = find(key);
  if (!value || !value->is_number_integer() || value->get<int64_t>() < 1 || value->get<int64_t>() > most) {
    throw fail(key, rfs::format("an integer from 1 to {}", most));
  }
  return value->get<int64_t>();
}

int64_t ConfigKeys::size_or(const std::string& key, int64_t absent) {
  return find(key) ? size(key) : absent;
}

double ConfigKeys::positive(const std::string& key, double absent) {
  return find(key) ? positive(key) : absent;
}

double ConfigKeys::positive(const std::string& key) {
  const Json* value = find(key);
  if (!value || !value->is_number() || !(value->get<double>() > 0)) throw fail(key, "a positive number");
  return value->get<double>();
}

bool ConfigKeys::boolean(const std::string& key, bool absent) {
  const Json* value = find(key);
  if (value && !value->is_boolean()) throw fail(key, "true or false");
  return value ? value->get<bool>() : absent;
}

std::string ConfigKeys::text(const std::string& key, const std::string& absent) {
  const Json* value = find(key);
  if (value && !value->is_string()) throw fail(key, "a string");
  return value ? value->get<std::string>() : absent;
}

std::vector<Json> ConfigKeys::list(const std::string& key, int64_t size) {
  const Json* value = find(key);
  if (!value) return {};
  if (!value->is_array() || static_cast<int64_t>(value->size()) != size) {
    throw fail(key, rfs::format("a list with one entry for each of the {} layers", size));
  }
  return {value->begin(), value->end()};
}

void ConfigKeys::require(const std::string& key, const std::vector<Json>& values, const std::string& why) {
  const Json* value = find(key);
  if (!value || std::find(values.begin(), values.end(), *value) != values.end()) return;
  std::vector<std::string> words;
  for (const Json& one : values) words.push_back(one.is_string() ? one.get<std::string>() : one.dump());
  throw fail(key, rfs::format("{} ({})", words.empty() ? "null" : join(words, " or "), why));
}

void ConfigKeys::require_known() {
  known_.insert(known_.end(), harmless.begin(), harmless.end());
  for (const auto& [key, value] : json_.items()) {
    if (std::find(known_.begin(), known_.end(), key) == known_.end()) {
      throw Error(rfs::format(
          "{}: unknown key '{}'{}; it could change what the model computes, so remove it only if it does not", where_,
          shortened(key), did_you_mean(key, known_)));
    }
  }
}

void require_decoder(ConfigKeys& keys, const std::string& architecture) {
  const Json* classes = keys.find("architectures");
  const bool names_class =
      classes && classes->is_array() && std::find(classes->begin(), classes->end(), architecture) != classes->end();
  if (classes && !names_class) {
    throw keys.fail("architectures", rfs::format("a list with {} (other classes compute something else, or have no "
                                                 "output head)",
                                                 architecture));
  }
  if (keys.find("auto_map") && !names_class) {
    throw keys.fail("auto_map", rfs::format("absent unless 'architectures' has {} (the code that it names may compute "
                                            "something else)",
                                            architecture));
  }
  keys.require("is_encoder_decoder", {false}, "rfs imports decoders only");
  keys.require("tie_encoder_decoder", {false}, "rfs imports decoders only");
  keys.require("add_cross_attention", {false}, "rfs has no cross-attention");
  keys.require("cross_attention_hidden_size", {}, "rfs has no cross-attention");
  keys.require("pruned_heads", {Json::object()}, "rfs has all heads");
  keys.require("n_special", {0}, "rfs reads no further special tokens");
  keys.require("is_llama_config", {true}, "rfs imports it as Llama");
  keys.require("rope_interleaved", {false}, "checkpoints of transformers rotate halves");
  keys.require("use_mrope", {false}, "rfs has one position for each token");
}

void read_sizes(ConfigKeys& keys, CheckpointConfig& config) {
  config.vocabulary = keys.size("vocab_size");
  config.width = keys.size("hidden_size", 65'536);
  config.layers = keys.size("num_hidden_layers", 1000);
  config.heads = keys.size("num_attention_heads", 1024);
  config.kv_heads = config.heads;
  config.feed_width = keys.size("intermediate_size", 1'048'576);
  // Llama 1 has only the older name.
  const bool is_old = !keys.find("max_position_embeddings") && keys.find("max_sequence_length");
  const char* most = is_old ? "max_sequence_length" : "max_position_embeddings";
  read_tokens(keys, config, keys.size(most, PositionIndexing::longest_row));
}

void read_tokens(ConfigKeys& keys, CheckpointConfig& config, int64_t most) {
  config.tokens = most;
  config.planned = keys.find(planned_tokens) != nullptr;
  if (config.planned) config.tokens = keys.size(planned_tokens, PositionIndexing::longest_row);
  add_token_ids(keys, config);
}

void add_token_ids(ConfigKeys& keys, CheckpointConfig& config) {
  const auto id_of = [&](const Json& value) {
    const bool is_id = value.is_number_integer() && value >= 0 && value < config.vocabulary;
    return is_id ? value.get<int64_t>() : -1;
  };
  TokenIds& ids = config.ids;
  for (const auto& [key, id] : {std::pair("bos_token_id", &ids.begin), std::pair("pad_token_id", &ids.pad)}) {
    const Json* value = keys.find(key);
    if (value && *id < 0) *id = id_of(*value);
  }
  const Json* end = keys.find("eos_token_id");
  if (!end) return;
  for (const Json& value : end->is_array() ? *end : Json::array({*end})) {
    const int64_t id = id_of(value);
    if (id >= 0 && std::find(ids.ends.begin(), ids.ends.end(), id) == ids.ends.end()) ids.ends.push_back(id);
  }
}

namespace {

void read_scaling(ConfigKeys& inner, CheckpointConfig& config) {
  const std::string type = inner.text("rope_type", inner.text("type", "default"));
  inner.find("type");
  if (type == "default") {
    config.scaling = RopeScaling::none;
    return;
  }
  if (type == "linear") {
    config.scaling = RopeScaling::linear;
  } else if (type == "yarn") {
    config.scaling = RopeScaling::yarn;
  } else if (type == "llama3") {
    config.scaling = RopeScaling::llama3;
  } else {
    throw inner.fail("rope_type", "default, linear, yarn or llama3 (rfs imports no other RoPE scaling)");
  }
  config.factor = inner.positive("factor");
  if (config.scaling == RopeScaling::linear) return;
  config.original_length = inner.size_or("original_max_position_embeddings", config.tokens);
  if (config.scaling == RopeScaling::yarn) {
    const double scale = 0.1 * std::log(config.factor) + 1;
    if (std::abs(inner.positive("attention_factor", scale) / scale - 1) > 1e-6) {
      throw inner.fail("attention_factor", rfs::format("{}, 0.1 ln(factor) + 1", scale));
    }
    inner.require("beta_fast", {32}, "rfs knows YaRN with its published constants only");
    inner.require("beta_slow", {1}, "rfs knows YaRN with its published constants only");
    inner.require("truncate", {true}, "rfs knows YaRN with whole dims only");
  } else {
    inner.require("low_freq_factor", {1}, "as in every Llama 3");
    inner.require("high_freq_factor", {4}, "as in every Llama 3");
  }
}

}  // namespace

void read_rope(ConfigKeys& keys, CheckpointConfig& config, const std::string& base_key, const std::string& share_key,
               double absent_share) {
  double share = keys.positive(share_key, absent_share);
  config.base = keys.positive(base_key, 10'000);
  for (const char* table : {"rope_scaling", "rope_parameters"}) {
    const Json* found = keys.find(table);
    if (!found) continue;
    if (!found->is_object()) throw keys.fail(table, "an object");
    ConfigKeys inner(*found, keys.where() + " " + table);
    read_scaling(inner, config);
    share = inner.positive("partial_rotary_factor", share);
    config.base = inner.positive("rope_theta", config.base);
    inner.require_known();
  }
  // Version 4 also writes these two under the names that other models use.
  if (keys.positive("partial_rotary_factor", share) != share) {
    throw keys.fail("partial_rotary_factor", rfs::format("{}, the value of {}", share, share_key));
  }
  if (keys.positive("rope_theta", config.base) != config.base) {
    throw keys.fail("rope_theta", rfs::format("{}, the value of {}", config.base, base_key));
  }
  config.rotated = static_cast<int64_t>(std::min(share, 2.0) * static_cast<double>(config.head_width));
  if (config.rotated < 2 || config.rotated % 2 != 0 || config.rotated > config.head_width) {
    throw Error(rfs::format("{}: the number of rotated dims must be even, from 2 to {}, got {}", keys.where(),
                            config.head_width, config.rotated));
  }
}

Json rope_scaling_json(const CheckpointConfig& c) {
  switch (c.scaling) {
    case RopeScaling::linear:
      return {{"rope_type", "linear"}, {"factor", c.factor}};
    case RopeScaling::yarn:
      return {{"rope_type", "yarn"}, {"factor", c.factor}, {"original_max_position_embeddings", c.original_length}};
    case RopeScaling::llama3:
      return {{"rope_type", "llama3"},
              {"factor", c.factor},
              {"low_freq_factor", 1.0},
              {"high_freq_factor", 4.0},
              {"original_max_position_embeddings", c.original_length}};
    case RopeScaling::none:
    case RopeScaling::ntk:
    case RopeScaling::dynamic_ntk:
    case RopeScaling::longrope:
      return {};
  }
  return {};
}

double rotary_share(const CheckpointConfig& config) {
  const auto width = static_cast<double>(config.head_width);
  double share = static_cast<double>(config.rotated) / width;
  while (static_cast<int64_t>(share * width) < config.rotated) share = std::nextafter(share, 2.0);
  return share;
}

void write_tokens(Json& json, const CheckpointConfig& c) {
  // For YaRN, some versions of `transformers` take the factor from the ratio of the two lengths.
  const int64_t scaled = c.scaling == RopeScaling::yarn
                             ? static_cast<int64_t>(c.factor * static_cast<double>(c.original_length) + 0.5)
                             : least_limit;
  // GPT-2 reads this key as its number of learned positions.
  if (c.learned_rows == 0) json["max_position_embeddings"] = std::max(c.tokens, scaled);
  json[planned_tokens] = c.tokens;
  write_token_ids(json, c.ids);
  json["torch_dtype"] = "float32";
}

void write_token_ids(Json& json, const TokenIds& ids) {
  const auto id = [](int64_t value) { return value < 0 ? Json() : Json(value); };
  json["bos_token_id"] = id(ids.begin);
  json["eos_token_id"] = ids.ends.size() > 1 ? Json(ids.ends) : id(ids.end());
  json["pad_token_id"] = id(ids.pad);
}

}  // namespace rfs
