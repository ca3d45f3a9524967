#include "rfs/attention/attention_rule.h"

#include <torch/types.h>

namespace rfs {

torch::Tensor AttentionRule::query_scale(std::span<const torch::Tensor>, const torch::Tensor&,
                                         const torch::Tensor&) const {
  return {};
}

torch::Tensor AttentionRule::weights(std::span<const torch::Tensor>, const torch::Tensor& score_Hqk,
                                     const torch::Tensor&) const {
  return torch::softmax(score_Hqk, 2);
}

}  // namespace rfs
