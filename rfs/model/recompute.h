#pragma once

#include <torch/types.h>

#include <functional>
#include <vector>

namespace rfs {

/// A part of a model as a function of tensors. Its weights are leaves with a grad().
using ModelPart = std::function<torch::Tensor(const std::vector<torch::Tensor>& inputs)>;

/// The result of `part`. Only its inputs are kept for the backward pass, which runs `part` a second time (activation
/// checkpointing). `part` must own what it uses and compute the same result each time.
torch::Tensor recomputed(ModelPart part, const std::vector<torch::Tensor>& inputs);

}  // namespace rfs
