// A thread has eight neighbouring dims: four pairs.

#include "rfs/ops/device.cuh"
#include "rfs/ops/turn_launch.h"

namespace rfs {
namespace {

__device__ __forceinline__ void turn8(const DeviceRows& rows, int token, int pair, float direction, float (&x)[8]) {
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    if (pair + k >= rows.pairs) return;
    const int64_t at = static_cast<int64_t>(token) * rows.pairs + pair + k;
    const float cosine = rows.cos[at], sine = direction * rows.sin[at], low = x[2 * k], high = x[2 * k + 1];
    x[2 * k] = low * cosine - high * sine;
    x[2 * k + 1] = low * sine + high * cosine;
  }
}

/// Visits only the pieces of a head that turn.
__global__ void __launch_bounds__(256) turn(const DeviceRows rows, int heads, int width, bf16* qkv) {
  const int pieces = (rows.pairs + 3) / 4, i = blockIdx.x * 256 + threadIdx.x;
  const int piece = i % pieces, head = i / pieces % (2 * heads), token = i / pieces / (2 * heads);
  if (token >= rows.tokens) return;
  bf16* at = qkv + static_cast<int64_t>(token) * 3 * heads * width + head * width + 8 * piece;
  float x[8];
  load8(at, x);
  turn8(rows, token, 4 * piece, 1, x);
  store8(at, x);
}

__global__ void __launch_bounds__(256) gather(const DeviceRows rows, int heads, int width, const bf16* d_q,
                                              const bf16* d_k, const bf16* d_v, bf16* d_qkv) {
  const int inner = heads * width, pieces = 3 * inner / 8;
  const int64_t i = static_cast<int64_t>(blockIdx.x) * 256 + threadIdx.x;
  const int token = static_cast<int>(i / pieces), column = 8 * static_cast<int>(i % pieces), part = column / inner;
  if (token >= rows.tokens) return;
  const bf16* from = part == 0 ? d_q : part == 1 ? d_k : d_v;
  float x[8];
  load8(from + static_cast<int64_t>(token) * inner + column % inner, x);
  if (part < 2) turn8(rows, token, column % width / 2, -1, x);
  store8(d_qkv + 8 * i, x);
}

}  // namespace

void turn_queries_and_keys(const DeviceRows& rows, int heads, int width, void* qkv, cudaStream_t stream) {
  if (rows.pairs == 0) return;
  const int64_t count = static_cast<int64_t>(rows.tokens) * 2 * heads * ((rows.pairs + 3) / 4);
  turn<<<static_cast<unsigned>((count + 255) / 256), 256, 0, stream>>>(rows, heads, width, static_cast<bf16*>(qkv));
}

void turn_back(const DeviceRows& rows, int heads, int width, const void* d_q, const void* d_k, const void* d_v,
               void* d_qkv, cudaStream_t stream) {
  const int64_t count = static_cast<int64_t>(rows.tokens) * 3 * heads * width / 8;
  gather<<<static_cast<unsigned>((count + 255) / 256), 256, 0, stream>>>(
      rows, heads, width, static_cast<const bf16*>(d_q), static_cast<const bf16*>(d_k), static_cast<const bf16*>(d_v),
      static_cast<bf16*>(d_qkv));
}

}  // namespace rfs
