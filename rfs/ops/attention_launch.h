#pragma once

#include <cuda_runtime.h>

#include "rfs/ops/device_rows.h"
#include "rfs/ops/query_scale.h"

namespace rfs {

enum class AttentionExtras { none, scaled, all };

/// Causal attention within packed rows on a GPU; attention.h defines what it computes. Rotation, slopes, bias and query
/// scaling happen inside the kernels. bf16 with 64-dim heads runs on the tensor cores, in tiles of 64 queries x 64
/// keys. All other types and even head widths up to 256 use a plain kernel. No kernel uses atomics, so results are
/// bit-identical each time.
struct DeviceAttention {
  DeviceRows rows;
  DeviceDropout dropout;
  uint32_t site = 0;
  DType dtype = DType::bf16;
  int heads = 0, kv_heads = 0, width = 0;  ///< `width` is that of one head
  int window = 0;                          ///< a query sees this many tokens, itself included; 0 for all
  float scale = 1;
  const float* slopes = nullptr;  ///< [heads]; null: none
  QueryScale query_scale;         ///< factors that multiply the queries
  const float* bias = nullptr;    ///< [heads, N, rows.longest]: added to the scores of a query with the keys of its row
  const void* qkv = nullptr;      ///< [N, (heads + 2 kv_heads) * width], laid out as in QkvLayout
  void* out = nullptr;            ///< [N, heads * width]
  float* log_sum = nullptr;       ///< [N, heads]
  /// [N, heads, 4]: which weights dropout kept, for rows of at most 64 tokens. The backward pass on the tensor cores
  /// reads it.
  uint16_t* kept = nullptr;

  /// The features that the compiled kernel must support: none, scaled queries, or also a window, a bias and grouped
  /// heads.
  AttentionExtras extras() const {
    if (window > 0 || bias || kv_heads != heads) return AttentionExtras::all;
    return query_scale.active() ? AttentionExtras::scaled : AttentionExtras::none;
  }
};

/// Where the backward pass reads and writes gradients.
struct AttentionGradient {
  const void* d_out = nullptr;
  void* d_qkv = nullptr;       ///< like qkv
  float* d_factors = nullptr;  ///< [N, heads]: of the query factors (0 where a factor is 0)
  float* d_bias = nullptr;     ///< like `bias`, if any; entries of pairs that attention does not use stay unchanged
  void* d_heads = nullptr;     ///< scratch [N, 2 heads * width], needed if kv_heads < heads
  float* inner = nullptr;      ///< scratch [N, heads], needed by hopper_backward
};

void attention_forward(const DeviceAttention& arguments, cudaStream_t stream);
/// `out` and `log_sum` must be those of the forward pass.
void attention_backward(const DeviceAttention& arguments, const AttentionGradient& gradient, cudaStream_t stream);

/// The two implementations; the functions above choose one.
void attention_tiles_forward(const DeviceAttention& arguments, cudaStream_t stream);
void attention_tiles_backward(const DeviceAttention& arguments, const AttentionGradient& gradient, cudaStream_t stream);
void attention_plain_forward(const DeviceAttention& arguments, cudaStream_t stream);
void attention_plain_backward(const DeviceAttention& arguments, const AttentionGradient& gradient, cudaStream_t stream);

}  // namespace rfs
