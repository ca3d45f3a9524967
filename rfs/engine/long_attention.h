#pragma once

#include <torch/types.h>

#include "rfs/engine/step_memory.h"
#include "rfs/ops/attention_launch.h"

namespace rfs {

/// Attention over long rows with LibTorch's flash attention, which is faster than the tile kernels for rows of more
/// than `long_row` tokens. It supports no slopes on float positions, and its dropout differs from ours, so it is not
/// used for either.
bool flash_fits(const DeviceAttention& attention);

/// What computes attention in the engine.
enum class AttentionKernel { tiles, flash, hopper };
/// `hopper` on a Hopper GPU, unless RFS_HOPPER_ATTENTION=0 is in the environment (for comparisons).
AttentionKernel attention_kernel(const DeviceAttention& attention);
/// True if some layer of the model uses flash attention in rows of up to `longest` tokens. LibTorch then allocates
/// memory in each step.
bool needs_flash(const ModelSpec& model, DType dtype, int longest);

/// What a forward pass keeps for the backward pass.
struct FlashKept {
  torch::Tensor out, log_sum, seed, unused;
};

/// Rotates the queries and keys of attention.qkv in place. The result is kept.out, not attention.out.
void flash_forward(const DeviceAttention& attention, FlashKept& kept, cudaStream_t stream);
void flash_backward(const DeviceAttention& attention, const FlashKept& kept, const void* d_out, void* d_qkv,
                    cudaStream_t stream);

/// Attention with the kernel that attention_kernel() chooses. `kept` is only used by flash attention.
void chosen_attention_forward(const DeviceAttention& attention, FlashKept& kept, cudaStream_t stream);
void chosen_attention_backward(const DeviceAttention& attention, const FlashKept& kept,
                               const AttentionGradient& gradient, cudaStream_t stream);

}  // namespace rfs
