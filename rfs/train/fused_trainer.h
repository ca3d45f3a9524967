#pragma once

#include <memory>

#include "rfs/ops/device_rows.h"
#include "rfs/train/torch_trainer.h"

namespace rfs {

/// Trains any decoder on a GPU with LibTorch's autograd over the project's kernels: activations of type `dtype`,
/// float32 weights. The host prepares batches and positions in advance. A pass is a CUDA graph, captured once per
/// bucket of token and target counts. The decoder is trained in place. Throws Error if kernel_refusal is not empty.
std::unique_ptr<Trainer> make_fused_trainer(Decoder& decoder, const PositionTracks& positions, const Examples& examples,
                                            int64_t trained_length, const TrainOptions& options, DType dtype,
                                            std::shared_ptr<const OptimizerRule> optimizer = OptimizerRule::adamw(),
                                            std::shared_ptr<Adapters> adapters = nullptr);

}  // namespace rfs
