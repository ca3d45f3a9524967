#pragma once

#include "rfs/ops/attention_launch.h"

namespace rfs {

/// Attention for Hopper GPUs, in bf16 with heads of 64 or 128 dims, for rows of any length. It computes what
/// attention_launch.h says, but queries and keys must be rotated before. Rotation is undone in the gradients. There are
/// no atomics, so results are bit-identical each time.

/// True if the GPU, its driver and the arguments allow it: no slopes, no bias, no dropout.
bool hopper_fits(const DeviceAttention& attention);

void hopper_forward(const DeviceAttention& attention, cudaStream_t stream);

/// `out` and `log_sum` must be those of the forward pass. Needs gradient.inner, and no gradient.d_heads.
void hopper_backward(const DeviceAttention& attention, const AttentionGradient& gradient, cudaStream_t stream);

}  // namespace rfs
