#pragma once

#include <cuda_runtime.h>

#include "rfs/ops/device_rows.h"

namespace rfs {

/// Rotation apart from attention, bf16 on a GPU, for attention that does not rotate by itself. Heads have a multiple of
/// 8 dims.

/// Rotates queries and keys of qkv [N, 3 * heads * width] in place.
void rotate_queries_and_keys(const DeviceRows& rows, int heads, int width, void* qkv, cudaStream_t stream);

/// d_qkv from gradients of rotated queries and keys and of values, each [N, heads * width].
void rotate_back(const DeviceRows& rows, int heads, int width, const void* d_q, const void* d_k, const void* d_v,
                 void* d_qkv, cudaStream_t stream);

}  // namespace rfs
