#include "rfs/attention/attention_rule.h"

#include <torch/types.h>

namespace rfs {

torch::Tensor AttentionRule::query_scale(std::span<const torch::Tensor>, const torch::Tensor&) const {
  return {};
}

}  // namespace rfs
