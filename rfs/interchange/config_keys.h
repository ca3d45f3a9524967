#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rfs/core/error.h"
#include "rfs/interchange/checkpoint.h"

namespace rfs {

/// A JSON object in which every key must be asked for. An unknown key might change what the model computes.
class ConfigKeys {
 public:
  using Json = nlohmann::ordered_json;
  ConfigKeys(const Json& json, std::string where) : json_(json), where_(std::move(where)) {}

  const std::string& where() const { return where_; }
  /// "WHERE: 'key' must be RULE, got VALUE".
  Error fail(const std::string& key, const std::string& rule) const;
  /// Null if the key is absent or null.
  const Json* find(const std::string& key);
  bool has(const std::string& key) const { return json_.contains(key); }  ///< true also for null
  int64_t size(const std::string& key, int64_t most = int64_t{1} << 30);
  int64_t size_or(const std::string& key, int64_t absent);
  double positive(const std::string& key, double absent);
  double positive(const std::string& key);
  bool boolean(const std::string& key, bool absent);
  std::string text(const std::string& key, const std::string& absent);
  /// A list with one entry per layer; empty if the key is absent.
  std::vector<Json> list(const std::string& key, int64_t size);
  /// The key may be absent, null or have one of these values. `why` follows in the message.
  void require(const std::string& key, const std::vector<Json>& values, const std::string& why);
  /// Throws Error for a key that nothing asked for, except those that do not change what a model computes.
  void require_known();

 private:
  const Json& json_;
  std::string where_;
  std::vector<std::string> known_;
};

/// Throws Error unless the config is of the class `architecture`, and unless keys of any family that change what a
/// model computes have the one value that rfs supports.
void require_decoder(ConfigKeys& keys, const std::string& architecture);
/// What most families share: vocab_size, hidden_size, num_hidden_layers, num_attention_heads, intermediate_size,
/// max_position_embeddings.
void read_sizes(ConfigKeys& keys, CheckpointConfig& config);
/// The number of tokens that the positions are made for (`most` is the config's own maximum), and the special ids.
void read_tokens(ConfigKeys& keys, CheckpointConfig& config, int64_t most);
/// Adds the special ids that the config does not have yet. Ignores numbers that are no ids of the vocabulary.
void add_token_ids(ConfigKeys& keys, CheckpointConfig& config);

/// Reads RoPE's keys, in the form of transformers 4 (`base_key`, `share_key`, rope_scaling) or 5 (rope_parameters).
void read_rope(ConfigKeys& keys, CheckpointConfig& config, const std::string& base_key, const std::string& share_key,
               double absent_share);

/// rope_scaling as transformers 4 writes and 5 also reads; null for none.
ConfigKeys::Json rope_scaling_json(const CheckpointConfig& config);
/// The share of a head's dims that are rotated. `transformers` truncates share * head_width to an integer.
double rotary_share(const CheckpointConfig& config);
void write_token_ids(ConfigKeys::Json& json, const TokenIds& ids);
/// max_position_embeddings, our own key for `tokens`, and the special ids.
void write_tokens(ConfigKeys::Json& json, const CheckpointConfig& config);

}  // namespace rfs
