#pragma once

#include "rfs/interchange/llama_like.h"

namespace rfs {

/// What Qwen 2 and 3 share: an attention window in some layers.
class Qwen : public LlamaLike {
 public:
  void read(ConfigKeys& keys, CheckpointConfig& config) const override;
  std::string refusal(const CheckpointConfig& config) const override;
  ConfigKeys::Json write(const CheckpointConfig& config) const override;
  std::string gguf_refusal(const CheckpointConfig& config) const override;
};

}  // namespace rfs
