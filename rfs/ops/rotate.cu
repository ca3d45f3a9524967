// A thread handles eight neighbouring dims: four pairs.

#include "rfs/ops/device.cuh"
#include "rfs/ops/rotate_launch.h"

namespace rfs {
namespace {

/// Cosines and sines of four neighbouring pairs; 1 and 0 for pairs that are not rotated.
struct Angles {
  float cos[4], sin[4];
};
__device__ __forceinline__ Angles find(const DeviceRows& rows, int token, int pair) {
  Angles angles;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int64_t at = static_cast<int64_t>(token) * rows.pairs + pair + k;
    const bool rotated = pair + k < rows.pairs;
    angles.cos[k] = rotated ? rows.cos[at] : 1.f;
    angles.sin[k] = rotated ? rows.sin[at] : 0.f;
  }
  return angles;
}

__device__ __forceinline__ void rotate8(const Angles& angles, float direction, float (&x)[8]) {
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const float cosine = angles.cos[k], sine = direction * angles.sin[k], low = x[2 * k], high = x[2 * k + 1];
    x[2 * k] = low * cosine - high * sine;
    x[2 * k + 1] = low * sine + high * cosine;
  }
}

/// Visits only the pieces of a head that rotate.
__global__ void __launch_bounds__(most_row_threads) rotate(const DeviceRows rows, const DeviceHeads a, bf16* qkv) {
  const int token = blockIdx.x * blockDim.y + threadIdx.y, pieces = (rows.pairs + 3) / 4;
  if (token >= rows.tokens) return;
  for (int i = threadIdx.x; i < (a.heads + a.kv_heads) * pieces; i += blockDim.x) {
    const int head = i / pieces, piece = i % pieces;
    bf16* at = qkv + (static_cast<int64_t>(token) * (a.heads + 2 * a.kv_heads) + head) * a.width + 8 * piece;
    float x[8];
    load8(at, x);
    rotate8(find(rows, token, 4 * piece), 1, x);
    store8(at, x);
  }
}

__global__ void __launch_bounds__(most_row_threads)
    gather(const DeviceRows rows, const DeviceHeads a, const bf16* d_q, const bf16* d_k, const bf16* d_v, bf16* d_qkv) {
  const int token = blockIdx.x * blockDim.y + threadIdx.y;
  const int queries = a.heads * a.width, keys = a.kv_heads * a.width, whole = queries + 2 * keys;
  if (token >= rows.tokens) return;
  for (int column = 8 * threadIdx.x; column < whole; column += 8 * blockDim.x) {
    const bf16* from = d_q + static_cast<int64_t>(token) * queries + column;
    if (column >= queries) from = d_k + static_cast<int64_t>(token) * keys + column - queries;
    bf16* to = d_qkv + static_cast<int64_t>(token) * whole + column;
    if (column >= queries + keys) {
      from = d_v + static_cast<int64_t>(token) * keys + column - queries - keys;
      *reinterpret_cast<uint4*>(to) = *reinterpret_cast<const uint4*>(from);
      continue;
    }
    float x[8];
    load8(from, x);
    rotate8(find(rows, token, column % a.width / 2), -1, x);
    store8(to, x);
  }
}

}  // namespace

void rotate_queries_and_keys(const DeviceRows& rows, const DeviceHeads& heads, void* qkv, cudaStream_t stream) {
  if (rows.pairs == 0) return;
  const int pieces = (heads.heads + heads.kv_heads) * ((rows.pairs + 3) / 4);
  rotate<<<row_blocks(rows.tokens, pieces), row_threads(pieces), 0, stream>>>(rows, heads, static_cast<bf16*>(qkv));
}

void rotate_back(const DeviceRows& rows, const DeviceHeads& heads, const void* d_q, const void* d_k, const void* d_v,
                 void* d_qkv, cudaStream_t stream) {
  const int pieces = (heads.heads + 2 * heads.kv_heads) * heads.width / 8;
  gather<<<row_blocks(rows.tokens, pieces), row_threads(pieces), 0, stream>>>(
      rows, heads, static_cast<const bf16*>(d_q), static_cast<const bf16*>(d_k), static_cast<const bf16*>(d_v),
      static_cast<bf16*>(d_qkv));
}

}  // namespace rfs
