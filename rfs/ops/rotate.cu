// A thread has eight neighbouring dims: four pairs.

#include "rfs/ops/device.cuh"
#include "rfs/ops/rotate_launch.h"

namespace rfs {
namespace {

/// By how much four neighbouring pairs rotate: not at all from the last rotated pair on.
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
__global__ void __launch_bounds__(most_row_threads) rotate(const DeviceRows rows, int heads, int width, bf16* qkv) {
  const int token = blockIdx.x * blockDim.y + threadIdx.y, pieces = (rows.pairs + 3) / 4;
  if (token >= rows.tokens) return;
  for (int i = threadIdx.x; i < 2 * heads * pieces; i += blockDim.x) {
    const int head = i / pieces, piece = i % pieces;
    bf16* at = qkv + static_cast<int64_t>(token) * 3 * heads * width + head * width + 8 * piece;
    float x[8];
    load8(at, x);
    rotate8(find(rows, token, 4 * piece), 1, x);
    store8(at, x);
  }
}

__global__ void __launch_bounds__(most_row_threads) gather(const DeviceRows rows, int heads, int width, const bf16* d_q,
                                                           const bf16* d_k, const bf16* d_v, bf16* d_qkv) {
  const int token = blockIdx.x * blockDim.y + threadIdx.y, inner = heads * width;
  if (token >= rows.tokens) return;
  for (int column = 8 * threadIdx.x; column < inner; column += 8 * blockDim.x) {
    const int64_t from = static_cast<int64_t>(token) * inner + column;
    bf16* to = d_qkv + static_cast<int64_t>(token) * 3 * inner + column;
    float q[8], k[8];
    load8(d_q + from, q);
    load8(d_k + from, k);
    const uint4 v = *reinterpret_cast<const uint4*>(d_v + from);
    const Angles angles = find(rows, token, column % width / 2);
    rotate8(angles, -1, q);
    rotate8(angles, -1, k);
    store8(to, q);
    store8(to + inner, k);
    *reinterpret_cast<uint4*>(to + 2 * inner) = v;
  }
}

}  // namespace

void rotate_queries_and_keys(const DeviceRows& rows, int heads, int width, void* qkv, cudaStream_t stream) {
  if (rows.pairs == 0) return;
  const int pieces = 2 * heads * ((rows.pairs + 3) / 4);
  rotate<<<row_blocks(rows.tokens, pieces), row_threads(pieces), 0, stream>>>(rows, heads, width,
                                                                            static_cast<bf16*>(qkv));
}

void rotate_back(const DeviceRows& rows, int heads, int width, const void* d_q, const void* d_k, const void* d_v,
               void* d_qkv, cudaStream_t stream) {
  const int pieces = heads * width / 8;
  gather<<<row_blocks(rows.tokens, pieces), row_threads(pieces), 0, stream>>>(
      rows, heads, width, static_cast<const bf16*>(d_q), static_cast<const bf16*>(d_k), static_cast<const bf16*>(d_v),
      static_cast<bf16*>(d_qkv));
}

}  // namespace rfs
