#pragma once

#include <cuda_runtime.h>

#include "rfs/ops/device_rows.h"

namespace rfs {

/// Rotation as a separate kernel, in bf16 on a GPU, for attention kernels that do not rotate themselves. The head width
/// is a multiple of 8.

/// Number of query heads, number of key and value heads, and width of a head, as in QkvLayout.
struct DeviceHeads {
  int heads = 0, kv_heads = 0, width = 0;
};

/// Rotates the queries and keys of qkv [N, (heads + 2 kv_heads) * width] in place.
void rotate_queries_and_keys(const DeviceRows& rows, const DeviceHeads& heads, void* qkv, cudaStream_t stream);

/// Computes d_qkv from the gradients of rotated queries [N, heads * width], rotated keys and values. The latter two are
/// [N, kv_heads * width] each.
void rotate_back(const DeviceRows& rows, const DeviceHeads& heads, const void* d_q, const void* d_k, const void* d_v,
                 void* d_qkv, cudaStream_t stream);

}  // namespace rfs
