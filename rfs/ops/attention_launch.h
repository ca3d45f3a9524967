#pragma once

#include <cuda_runtime.h>

#include "rfs/ops/device_rows.h"

namespace rfs {

/// Causal attention within packed rows on a GPU; see attention.h for the meaning. Rotation and slopes happen inside.
/// bf16 with heads of 64 dims runs on the matrix units, 64 queries x 64 keys at a time; other types and even widths up
/// to 256 on a plain kernel. No atomics: the same bits each time.
struct DeviceAttention {
  DeviceRows rows;
  DeviceDropout dropout;
  uint32_t site = 0;
  DType dtype = DType::bf16;
  int heads = 0, width = 0;  ///< of a head
  float scale = 1;
  const float* slopes = nullptr;  ///< [heads]; null: none
  const void* qkv = nullptr;      ///< [N, 3 * heads * width]
  void* out = nullptr;            ///< [N, heads * width]
  float* log_sum = nullptr;       ///< [N, heads]
  /// [N, heads, 4]: which weights dropout left of rows of at most 64 tokens; the gradient on the matrix units reads it.
  uint16_t* kept = nullptr;
};

void attention_forward(const DeviceAttention& arguments, cudaStream_t stream);
/// `out` and `log_sum` are the forward's; d_qkv has the layout of qkv.
void attention_backward(const DeviceAttention& arguments, const void* d_out, void* d_qkv, cudaStream_t stream);

/// The two versions; the functions above choose.
void attention_tiles_forward(const DeviceAttention& arguments, cudaStream_t stream);
void attention_tiles_backward(const DeviceAttention& arguments, const void* d_out, void* d_qkv, cudaStream_t stream);
void attention_plain_forward(const DeviceAttention& arguments, cudaStream_t stream);
void attention_plain_backward(const DeviceAttention& arguments, const void* d_out, void* d_qkv, cudaStream_t stream);

}  // namespace rfs
