#pragma once

#include <torch/types.h>

#include "rfs/model/options.h"
#include "rfs/ops/attention_launch.h"

namespace rfs {

/// Attention over long rows with LibTorch's flash attention, which is faster than the tile kernels for rows of more
/// than `long_row` tokens. It supports no slopes on float positions, and its dropout differs from ours, so it is not
/// used for either.
constexpr int long_row = 512;
bool flash_fits(const DeviceAttention& attention);

/// What a forward pass keeps for the backward pass.
struct FlashKept {
  torch::Tensor out, log_sum, seed, unused;
};

/// Bytes that LibTorch will allocate for a step of `tokens` tokens in `rows` rows.
size_t flash_bytes(int64_t tokens, int64_t rows, const DecoderOptions& options);

/// Rotates the queries and keys of attention.qkv in place. The result is kept.out, not attention.out.
void flash_forward(const DeviceAttention& attention, FlashKept& kept, cudaStream_t stream);
void flash_backward(const DeviceAttention& attention, const FlashKept& kept, const void* d_out, void* d_qkv,
                    cudaStream_t stream);

}  // namespace rfs
