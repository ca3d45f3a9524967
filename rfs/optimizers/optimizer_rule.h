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

/// What every optimizer knows about one update.
struct UpdateStep {
  int64_t number = 1;  ///< starts at 1
  double learning_rate = 0, weight_decay = 0, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
};

/// Turns a clipped gradient into an update of the weights. Its state has names, so that checkpoints can store it. State
/// tensors are shaped like Parameters::flat() and start at zero.
class OptimizerRule {
 public:
  static constexpr std::string_view family = "optimizer";
  virtual ~OptimizerRule() = default;

  virtual std::vector<std::string> state_names() const = 0;  ///< names of its state tensors
  /// Reads Parameters::gradient() and may overwrite it. Changes Parameters::flat() and `state`, whose order is that of
  /// state_names(). Called with autograd disabled.
  virtual void update(const Parameters& parameters, std::span<const at::Tensor> state,
                      const UpdateStep& step) const = 0;

  /// True for AdamW, for which the engine has kernels.
  virtual bool is_adamw() const { return false; }

  /// The default optimizer.
  static std::shared_ptr<const OptimizerRule> adamw();
};

}  // namespace rfs
