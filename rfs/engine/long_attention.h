#pragma once

#include <torch/types.h>

#include "rfs/model/options.h"
#include "rfs/ops/attention_launch.h"

namespace rfs {

/// Attention of long rows by LibTorch's flash attention: faster than the tiles from `long_row` tokens on. It knows no
/// slopes on float positions and its dropout is not ours, so it serves neither.
constexpr int long_row = 512;
bool flash_fits(const DeviceAttention& attention);

/// What a forward pass leaves for the backward one.
struct FlashKept {
  torch::Tensor out, log_sum, seed, unused;
};

/// Bytes that LibTorch will take for a step of so many tokens in so many rows.
size_t flash_bytes(int64_t tokens, int64_t rows, const DecoderOptions& options);

/// Turns queries and keys of attention.qkv in place; the result is kept.out, not attention.out.
void flash_forward(const DeviceAttention& attention, FlashKept& kept, cudaStream_t stream);
void flash_backward(const DeviceAttention& attention, const FlashKept& kept, const void* d_out, void* d_qkv,
                    cudaStream_t stream);

}  // namespace rfs
