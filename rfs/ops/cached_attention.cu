// One block per row and head. A party is the group of lanes that reads one key; a lane holds eight neighbouring dims.
// Each party sees every so many keys, with a running maximum. The parties' results are added up at the end.

#include "rfs/ops/cached_attention_launch.h"
#include "rfs/ops/device.cuh"

namespace rfs {
namespace {

constexpr int threads = 256;
constexpr int at_once = 4;  // keys that a party loads before it uses them
constexpr unsigned all_lanes = 0xffffffff;

/// Eight dims from `dim` on, rotated if they are among the first 2 pairs dims.
template <class T>
__device__ void load_rotated(const CachedAttention& a, const T* from, int dim, float (&x)[8]) {
  load8(from + dim, x);
  const float *cosine = a.cos + static_cast<int64_t>(blockIdx.y) * a.pairs,
              *sine = a.sin + static_cast<int64_t>(blockIdx.y) * a.pairs;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int pair = dim / 2 + k;
    if (pair >= a.pairs) break;
    const float first = x[2 * k], second = x[2 * k + 1];
    x[2 * k] = first * cosine[pair] - second * sine[pair];
    x[2 * k + 1] = first * sine[pair] + second * cosine[pair];
  }
}

template <class T>
__global__ void __launch_bounds__(threads) newest_token(const CachedAttention a, int lanes) {
  const int head = blockIdx.x, row = blockIdx.y, group = a.heads / a.kv_heads, kv_head = head / group;
  const int parties = threads / lanes, party = threadIdx.x / lanes, dim = 8 * (threadIdx.x % lanes);
  const bool has = dim < a.width;
  const int tokens = static_cast<int>(a.seen[row]), newest = tokens - 1;
  const int64_t cache = (static_cast<int64_t>(row) * a.kv_heads + kv_head) * a.capacity * a.width;
  T *keys = static_cast<T*>(a.keys) + cache, *values = static_cast<T*>(a.values) + cache;
  const T* qkv = static_cast<const T*>(a.qkv) + static_cast<int64_t>(row) * (a.heads + 2 * a.kv_heads) * a.width;

  float q[8] = {}, k[8] = {}, v[8] = {};
  if (has) {
    load_rotated(a, qkv + head * a.width, dim, q);
    load_rotated(a, qkv + (a.heads + kv_head) * a.width, dim, k);
    load8(qkv + (a.heads + a.kv_heads + kv_head) * a.width + dim, v);
    if (head % group == 0 && party == 0) {  // other blocks do not read the newest token from the cache
      store8(keys + static_cast<int64_t>(newest) * a.width + dim, k);
      store8(values + static_cast<int64_t>(newest) * a.width + dim, v);
    }
  }
  const float factor = a.scale * (a.factors ? a.factors[row * a.heads + head] : 1);
  const float slope = a.slopes ? a.slopes[head] : 0;
  const float* positions = a.positions + static_cast<int64_t>(row) * a.capacity;
  const float* bias = a.bias ? a.bias + (static_cast<int64_t>(head) * a.rows + row) * a.capacity : nullptr;

  float most = -INFINITY, total = 0, sum[8] = {};
  const int first = a.window > 0 ? max(0, tokens - a.window) : 0;
  for (int base = first; base < tokens; base += at_once * parties) {
    float key[at_once][8] = {}, value[at_once][8] = {};
#pragma unroll
    for (int u = 0; u < at_once; ++u) {
      const int j = base + u * parties + party;
      if (!has || j >= tokens) continue;
      if (j == newest) {
#pragma unroll
        for (int i = 0; i < 8; ++i) key[u][i] = k[i], value[u][i] = v[i];
      } else {
        load8(keys + static_cast<int64_t>(j) * a.width + dim, key[u]);
        load8(values + static_cast<int64_t>(j) * a.width + dim, value[u]);
      }
    }
#pragma unroll
    for (int u = 0; u < at_once; ++u) {
      float score = 0;
#pragma unroll
      for (int i = 0; i < 8; ++i) score += q[i] * key[u][i];
      for (int step = lanes / 2; step > 0; step /= 2) score += __shfl_xor_sync(all_lanes, score, step);
      const int j = base + u * parties + party;
      if (j >= tokens) continue;
      score *= factor;
      if (slope != 0) score -= slope * (positions[newest] - positions[j]);
      if (bias) score += bias[j];
      const float higher = fmaxf(most, score);
      const float shrink = __expf(most - higher), weight = __expf(score - higher);
      total = total * shrink + weight;
#pragma unroll
      for (int i = 0; i < 8; ++i) sum[i] = sum[i] * shrink + weight * value[u][i];
      most = higher;
    }
  }

  __shared__ float party_most[threads], party_total[threads], party_sum[8 * threads];
  if (dim == 0) party_most[party] = most, party_total[party] = total;
#pragma unroll
  for (int i = 0; i < 8; ++i) party_sum[8 * threadIdx.x + i] = sum[i];
  __syncthreads();
  if (threadIdx.x >= a.width) return;
  float highest = -INFINITY, all = 0, result = 0;
  for (int p = 0; p < parties; ++p) highest = fmaxf(highest, party_most[p]);
  for (int p = 0; p < parties; ++p) {
    const float share = __expf(party_most[p] - highest);
    all += share * party_total[p];
    result += share * party_sum[8 * lanes * p + threadIdx.x];
  }
  static_cast<T*>(a.out)[(static_cast<int64_t>(row) * a.heads + head) * a.width + threadIdx.x] =
      from_float<T>(result / all);
}

}  // namespace

void cached_attention(const CachedAttention& a, cudaStream_t stream) {
  int lanes = 1;
  while (8 * lanes < a.width) lanes *= 2;
  for_dtype(a.dtype, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    newest_token<T><<<dim3(a.heads, a.rows), threads, 0, stream>>>(a, lanes);
  });
}

}  // namespace rfs
