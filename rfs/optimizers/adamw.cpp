#include "rfs/model/parameters.h"
#include "rfs/optimizers/adamw_update.h"

namespace rfs {
namespace {

/// AdamW over the whole flat buffer. Its hyperparameters are in [train].
class AdamW : public OptimizerRule {
 public:
  using Options = NoOptions;
  explicit AdamW(const Options&) {}

  std::vector<std::string> state_names() const override { return {"first", "second"}; }
  bool is_adamw() const override { return true; }

  void update(const Parameters& parameters, std::span<const torch::Tensor> state,
              const UpdateStep& step) const override {
    const auto range = [&](int64_t begin, int64_t end, double decay) {
      adamw_update(begin, end, decay, step, parameters.flat(), parameters.gradient(), state[0], state[1]);
    };
    range(0, parameters.decayed(), step.weight_decay);
    range(parameters.decayed(), parameters.size(), 0);
  }
};

const bool registered = Registry<OptimizerRule>::add<AdamW>("AdamW; its hyperparameters are in [train]");

}  // namespace
}  // namespace rfs
