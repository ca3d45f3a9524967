#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "rfs/core/registry.h"
#include "rfs/interchange/checkpoint.h"
#include "rfs/interchange/config_keys.h"

namespace rfs {

/// A family of models of `transformers`: its keys in config.json and its tensors. A file `rfs/interchange/NAME.cpp`
/// registers the family of `model_type` NAME.
class ModelFamily {
 public:
  static constexpr std::string_view family = "model_type";
  virtual ~ModelFamily() = default;

  virtual std::string title() const = 0;         ///< for messages: "GPT-NeoX"
  virtual std::string architecture() const = 0;  ///< in config.json: "GPTNeoXForCausalLM"
  /// What the names of all tensors but the head begin with. A checkpoint without the head may leave it out.
  virtual std::string prefix() const = 0;
  /// Throws Error for a feature that rfs does not support.
  virtual void read(ConfigKeys& keys, CheckpointConfig& config) const = 0;
  /// Why the family cannot express a model; empty if it can. `read` of what `write` wrote gives the same config.
  virtual std::string refusal(const CheckpointConfig& config) const = 0;
  virtual ConfigKeys::Json write(const CheckpointConfig& config) const = 0;
  virtual std::vector<CheckpointTensor> tensors(const CheckpointConfig& config) const = 0;

  /// The architecture's name in llama.cpp, and whether it rotates neighbouring pairs of dims, as we do.
  virtual std::string gguf() const = 0;
  virtual bool gguf_has_pairs() const { return false; }
  /// Why llama.cpp cannot compute a model that the family can express; empty if it can.
  virtual std::string gguf_refusal(const CheckpointConfig& /*config*/) const { return ""; }
};

/// Throws an Error that lists the known families.
std::unique_ptr<ModelFamily> family_named(const std::string& name, const std::string& where);
/// The name of the first family that can express the model. Throws an Error that starts with `where` if none can.
std::string family_for(const CheckpointConfig& config, const std::string& where);

/// "WHAT must be WANTED", or empty if it holds: for refusals.
std::string unless(bool holds, const std::string& what, const std::string& wanted);

}  // namespace rfs
