#pragma once

#include <string>
#include <vector>

#include "rfs/interchange/family.h"

namespace rfs {

/// What Llama and its relatives share: RMSNorm, SwiGLU, scaled scores, grouped queries, RoPE on whole heads, and
/// separate maps for queries, keys and values and for gate and up.
class LlamaLike : public ModelFamily {
 public:
  std::string prefix() const override { return "model."; }
  void read(ConfigKeys& keys, CheckpointConfig& config) const override;
  std::string refusal(const CheckpointConfig& config) const override;
  ConfigKeys::Json write(const CheckpointConfig& config) const override;
  std::vector<CheckpointTensor> tensors(const CheckpointConfig& config) const override;

 protected:
  struct Defaults {  ///< values of absent keys
    double norm_epsilon = 1e-6;
    bool tied = false;
    double base = 10'000;
    int64_t head_width = 0;  ///< 0: hidden_size / num_attention_heads
  };
  virtual Defaults defaults() const { return {}; }
  /// Reads `layer_types`: full_attention or sliding_attention for each layer.
  static void read_layer_types(ConfigKeys& keys, CheckpointConfig& config);
  static ConfigKeys::Json layer_types_json(const CheckpointConfig& config);
  /// Refuses what only some of the families have.
  static std::string refuse_windows(const CheckpointConfig& config);
  static std::string refuse_qkv_bias(const CheckpointConfig& config);
  static std::string refuse_qk_norm(const CheckpointConfig& config);
  static std::string refuse_no_rope(const CheckpointConfig& config);
};

}  // namespace rfs
