#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rfs/core/options.h"
#include "rfs/core/registry.h"

namespace at {
class Tensor;
}

namespace rfs {

class Parameters;

/// What every optimizer is told about one update.
struct UpdateStep {
  int64_t number = 1;  ///< counted from 1
  double learning_rate = 0, weight_decay = 0, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
};

/// Turns a clipped gradient into an update of the weights. What it remembers from update to update is named, so that
/// checkpoints can carry it: tensors like Parameters::flat(), zero at first.
class OptimizerRule {
 public:
  static constexpr std::string_view family = "optimizer";
  virtual ~OptimizerRule() = default;

  virtual std::vector<std::string> state_names() const = 0;
  /// Reads Parameters::gradient() and may overwrite it; changes Parameters::flat() and `state`, which is in the order
  /// of state_names(). Called without gradients.
  virtual void update(const Parameters& parameters, std::span<const at::Tensor> state,
                      const UpdateStep& step) const = 0;

  /// Whether it is AdamW, which the engine has kernels for.
  virtual bool is_adamw() const { return false; }

  /// The default.
  static std::shared_ptr<const OptimizerRule> adamw();
};

}  // namespace rfs
