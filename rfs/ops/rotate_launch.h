#pragma once

#include <cuda_runtime.h>

#include "rfs/ops/device_rows.h"

namespace rfs {

/// Rotation apart from attention, bf16 on a GPU, for attention that does not rotate by itself. Heads have a multiple of
/// 8 dims.

/// How many heads queries have, and keys and values, and how wide a head is; as QkvLayout.
struct DeviceHeads {
  int heads = 0, kv_heads = 0, width = 0;
};

/// Rotates queries and keys of qkv [N, (heads + 2 kv_heads) * width] in place.
void rotate_queries_and_keys(const DeviceRows& rows, const DeviceHeads& heads, void* qkv, cudaStream_t stream);

/// d_qkv from gradients of rotated queries [N, heads * width] and keys and of values, each [N, kv_heads * width].
void rotate_back(const DeviceRows& rows, const DeviceHeads& heads, const void* d_q, const void* d_k, const void* d_v,
                 void* d_qkv, cudaStream_t stream);

}  // namespace rfs
