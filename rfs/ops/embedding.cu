#include "rfs/ops/device.cuh"
#include "rfs/ops/embedding_launch.h"

namespace rfs {
namespace {

__global__ void __launch_bounds__(256) forward(const Embedding a, const float* weights, float* x) {
  const int eighths = a.width / 8;
  const int64_t chunk = static_cast<int64_t>(blockIdx.x) * 256 + threadIdx.x;
  const int token = static_cast<int>(chunk / eighths), column = 8 * static_cast<int>(chunk % eighths);
  if (token >= a.rows.tokens) return;
  float value[8];
  load8(weights + static_cast<int64_t>(a.tokens[token]) * a.width + column, value);
  if (a.frequencies) {
    const double position = a.rows.positions[token];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      double sine, cosine;
      sincos(position * a.frequencies[column / 2 + k], &sine, &cosine);
      value[2 * k] += static_cast<float>(sine);
      value[2 * k + 1] += static_cast<float>(cosine);
    }
  }
  const int row = a.rows.row[token];
  drop8(a.dropout, a.rows.samples[row], a.site, static_cast<uint64_t>(token - a.rows.offsets[row]) * a.width + column,
        value);
  store8(x + 8 * chunk, value);
}

/// A block for each token; the one at a token's first occurrence adds up all of them.
__global__ void __launch_bounds__(256) backward(const Embedding a, const float* d_x, float* d_weights) {
  __shared__ int found[256];
  __shared__ int counts[9];
  const int first = blockIdx.x, id = a.tokens[first], warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (int base = 0; base < first; base += 256) {
    const int j = base + threadIdx.x;
    if (__syncthreads_or(j < first && a.tokens[j] == id)) return;
  }
  constexpr int most = 2;  // pieces of 4 columns a thread: D up to 2048
  float4 total[most] = {};
  for (int base = first; base < a.rows.tokens; base += 256) {
    const int j = base + threadIdx.x;
    const bool same = j < a.rows.tokens && a.tokens[j] == id;
    const unsigned mask = __ballot_sync(0xffffffff, same);
    if (lane == 0) counts[warp] = __popc(mask);
    __syncthreads();
    int before = 0, all = 0;
    for (int w = 0; w < 8; ++w) {
      if (w < warp) before += counts[w];
      all += counts[w];
    }
    if (same) found[before + __popc(mask & ((1u << lane) - 1))] = j;
    __syncthreads();
    for (int k = 0; k < all; ++k) {
      const int token = found[k], row = a.rows.row[token];
#pragma unroll
      for (int piece = 0; piece < most; ++piece) {
        const int column = 4 * (piece * 256 + threadIdx.x);
        if (column >= a.width) continue;
        float4 g = *reinterpret_cast<const float4*>(d_x + static_cast<int64_t>(token) * a.width + column);
        if (a.dropout.threshold) {
          const uint64_t index = static_cast<uint64_t>(token - a.rows.offsets[row]) * a.width + column;
          const uint4 words = dropout_words(a.dropout, a.rows.samples[row], a.site, index / 8);
          const float2 low = dropout_pair(a.dropout, index % 8 ? words.z : words.x);
          const float2 high = dropout_pair(a.dropout, index % 8 ? words.w : words.y);
          g.x *= low.x, g.y *= low.y, g.z *= high.x, g.w *= high.y;
        }
        total[piece].x += g.x, total[piece].y += g.y, total[piece].z += g.z, total[piece].w += g.w;
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int piece = 0; piece < most; ++piece) {
    const int column = 4 * (piece * 256 + threadIdx.x);
    if (column >= a.width) continue;
    float4* to = reinterpret_cast<float4*>(d_weights + static_cast<int64_t>(id) * a.width + column);
    const float4 t = total[piece], old = *to;
    *to = make_float4(old.x + t.x, old.y + t.y, old.z + t.z, old.w + t.w);
  }
}

__global__ void __launch_bounds__(256) angle_table(const float* positions, int tokens, const double* frequencies,
                                                   int pairs, float* cosines, float* sines) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= tokens * pairs) return;
  double sine, cosine;
  sincos(static_cast<double>(positions[i / pairs]) * frequencies[i % pairs], &sine, &cosine);
  cosines[i] = static_cast<float>(cosine);
  sines[i] = static_cast<float>(sine);
}

}  // namespace

void embedding_forward(const Embedding& a, const float* weights, float* x, cudaStream_t stream) {
  const int64_t chunks = static_cast<int64_t>(a.rows.tokens) * a.width / 8;
  forward<<<static_cast<unsigned>((chunks + 255) / 256), 256, 0, stream>>>(a, weights, x);
}

void embedding_backward(const Embedding& a, const float* d_x, float* d_weights, cudaStream_t stream) {
  backward<<<a.rows.tokens, 256, 0, stream>>>(a, d_x, d_weights);
}

void angles(const float* positions, int tokens, const double* frequencies, int pairs, float* cos, float* sin,
            cudaStream_t stream) {
  angle_table<<<(tokens * pairs + 255) / 256, 256, 0, stream>>>(positions, tokens, frequencies, pairs, cos, sin);
}

}  // namespace rfs
