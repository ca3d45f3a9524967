#pragma once

#include <cuda_runtime.h>

#include "rfs/ops/device_rows.h"
#include "rfs/ops/query_scale.h"

namespace rfs {

enum class AttentionExtras { none, scaled, all };

/// Causal attention within packed rows on a GPU; see attention.h for the meaning. Rotation, slopes, bias and scaled
/// queries happen inside. bf16 with heads of 64 dims runs on the matrix units, 64 queries x 64 keys at a time; other
/// types and even widths up to 256 on a plain kernel. No atomics: the same bits each time.
struct DeviceAttention {
  DeviceRows rows;
  DeviceDropout dropout;
  uint32_t site = 0;
  DType dtype = DType::bf16;
  int heads = 0, kv_heads = 0, width = 0;  ///< `width` is that of a head
  int window = 0;                          ///< a query sees so many tokens up to its own; 0 for all
  float scale = 1;
  const float* slopes = nullptr;  ///< [heads]; null: none
  QueryScale query_scale;         ///< what queries are scaled by
  const float* bias = nullptr;    ///< [heads, N, rows.longest]: added to the scores of a query and its row's keys
  const void* qkv = nullptr;      ///< [N, (heads + 2 kv_heads) * width], as QkvLayout says
  void* out = nullptr;            ///< [N, heads * width]
  float* log_sum = nullptr;       ///< [N, heads]
  /// [N, heads, 4]: which weights dropout left of rows of at most 64 tokens; the gradient on the matrix units reads it.
  uint16_t* kept = nullptr;

  /// Which code there must be: none of what follows, scaled queries, or also a window, a bias and grouped heads.
  AttentionExtras extras() const {
    if (window > 0 || bias || kv_heads != heads) return AttentionExtras::all;
    return query_scale.active() ? AttentionExtras::scaled : AttentionExtras::none;
  }
};

/// Where the gradients go.
struct AttentionGradient {
  const void* d_out = nullptr;
  void* d_qkv = nullptr;       ///< like qkv
  float* d_factors = nullptr;  ///< [N, heads], of the factors of scaled queries (0 where a factor is 0)
  float* d_bias = nullptr;     ///< like bias, where there is one; pairs that attention does not use keep what they had
  void* d_heads = nullptr;     ///< room for [N, 2 heads * width] where kv_heads < heads
};

void attention_forward(const DeviceAttention& arguments, cudaStream_t stream);
/// `out` and `log_sum` are the forward's.
void attention_backward(const DeviceAttention& arguments, const AttentionGradient& gradient, cudaStream_t stream);

/// The two versions; the functions above choose.
void attention_tiles_forward(const DeviceAttention& arguments, cudaStream_t stream);
void attention_tiles_backward(const DeviceAttention& arguments, const AttentionGradient& gradient, cudaStream_t stream);
void attention_plain_forward(const DeviceAttention& arguments, cudaStream_t stream);
void attention_plain_backward(const DeviceAttention& arguments, const AttentionGradient& gradient, cudaStream_t stream);

}  // namespace rfs
