#pragma once

#include <cuda_runtime.h>

#include "rfs/ops/device_rows.h"

namespace rfs {

/// Attention of each row's newest token over the row's cached keys and values, on a GPU; attention.h defines what it
/// computes. The newest key (rotated) and value join the cache. Sums run in a fixed order.
struct CachedAttention {
  DType dtype = DType::bf16;
  int rows = 0, heads = 0, kv_heads = 0, width = 0;  ///< `width` is that of one head: a multiple of 8 up to 256
  int capacity = 0;                                  ///< tokens for which a row has room
  int window = 0;                                    ///< a query sees this many tokens, itself included; 0 for all
  float scale = 1;
  const float* seen = nullptr;       ///< [rows]: number of tokens, the newest one included
  const float* cos = nullptr;        ///< [rows, pairs]: rotation of the newest token
  const float* sin = nullptr;        ///< [rows, pairs]
  int pairs = 0;                     ///< rotated pairs of dims in a head
  const float* slopes = nullptr;     ///< [heads]; null: none
  const float* factors = nullptr;    ///< [rows, heads]: multiply the queries; null: none
  const float* bias = nullptr;       ///< [heads, rows, capacity]: added to the scores; null: none
  const float* positions = nullptr;  ///< [rows, capacity]: of all tokens of a row; only slopes read them
  const void* qkv = nullptr;         ///< [rows, (heads + 2 kv_heads) * width], laid out as in QkvLayout
  void* keys = nullptr;              ///< [rows, kv_heads, capacity, width]
  void* values = nullptr;            ///< like `keys`
  void* out = nullptr;               ///< [rows, heads * width]
};

void cached_attention(const CachedAttention& arguments, cudaStream_t stream);

}  // namespace rfs
