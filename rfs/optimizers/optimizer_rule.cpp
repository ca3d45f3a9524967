#include "rfs/optimizers/optimizer_rule.h"

namespace rfs {

std::shared_ptr<const OptimizerRule> OptimizerRule::adamw() {
  return Choice<OptimizerRule>::read(nullptr, "adamw").make();
}

}  // namespace rfs
