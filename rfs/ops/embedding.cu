#include "rfs/ops/adamw.cuh"
#include "rfs/ops/embedding_launch.h"

namespace rfs {
namespace {

template <class T>
__global__ void __launch_bounds__(256) forward(const Embedding a, const Update update, int64_t begin, float* x) {
  const int eighths = a.width / 8;
  const int64_t chunk = static_cast<int64_t>(blockIdx.x) * 256 + threadIdx.x;
  const int token = static_cast<int>(chunk / eighths), column = 8 * static_cast<int>(chunk % eighths);
  if (token >= a.rows.tokens) return;
  float value[8];
  const int64_t at = begin + static_cast<int64_t>(a.tokens[token]) * a.width + column;
  if (update.state && is_pending(update)) {
#pragma unroll
    for (int k = 0; k < 2; ++k) {
      Four<T> row;
      row.load(update.flat, at + 4 * k);
      row.update(factors(update), at + 4 * k, update.flat.decayed);
      value[4 * k] = row.w.x, value[4 * k + 1] = row.w.y, value[4 * k + 2] = row.w.z, value[4 * k + 3] = row.w.w;
    }
  } else {
    load8(update.flat.weights + at, value);
  }
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
  drop8(a.dropout, a.rows.sample[token], a.site, static_cast<uint64_t>(a.rows.within[token]) * a.width + column, value);
  store8(x + 8 * chunk, value);
}

/// Where each token occurs first and last.
__global__ void __launch_bounds__(256) find_ends(const int32_t* tokens, int count, int32_t* first, int32_t* last) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= count) return;
  atomicMin(first + tokens[i], i);
  atomicMax(last + tokens[i], i);
}

/// A block for each token; the one at a token's first occurrence adds up all of them, each warp every eighth.
template <class T, int C>
__global__ void __launch_bounds__(256) backward(const int32_t* tokens, const int32_t* firsts, const int32_t* lasts,
                                                int width, const float* d_x, T* d_weights) {
  extern __shared__ float sums[];  // [4, width]
  __shared__ int found[256];
  __shared__ int counts[8];
  const int first = blockIdx.x, id = tokens[first], warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (firsts[id] != first) return;
  const int count = lasts[id] + 1;
  float total[C][8] = {};
  for (int base = first; base < count; base += 256) {
    const int j = base + threadIdx.x;
    const bool same = j < count && tokens[j] == id;
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
#pragma unroll 4
    for (int k = warp; k < all; k += 8) {
      const float* from = d_x + static_cast<int64_t>(found[k]) * width;
#pragma unroll
      for (int c = 0; c < C; ++c) {
        const int column = 256 * c + 8 * lane;
        if (column >= width) continue;
        float g[8];
        load8(from + column, g);
#pragma unroll
        for (int i = 0; i < 8; ++i) total[c][i] += g[i];
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int turn = 1; turn >= 0; --turn) {
    if (warp / 4 == turn) {
#pragma unroll
      for (int c = 0; c < C; ++c) {
        const int column = 256 * c + 8 * lane;
        if (column >= width) continue;
        float* mine = sums + warp % 4 * width + column;
        if (turn == 0) {
          float other[8];
          load8(mine, other);
#pragma unroll
          for (int i = 0; i < 8; ++i) total[c][i] += other[i];
        }
        store8(mine, total[c]);
      }
    }
    __syncthreads();
  }
  for (int column = threadIdx.x; column < width; column += 256) {
    T& to = d_weights[static_cast<int64_t>(id) * width + column];
    to = from_float<T>(to_float(to) +
                       (sums[column] + sums[width + column] + sums[2 * width + column] + sums[3 * width + column]));
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

void embedding_forward(const Embedding& a, const Update& update, int64_t begin, float* x, cudaStream_t stream) {
  const int64_t chunks = static_cast<int64_t>(a.rows.tokens) * a.width / 8;
  for_element(update.flat.element, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    forward<T><<<static_cast<unsigned>((chunks + 255) / 256), 256, 0, stream>>>(a, update, begin, x);
  });
}

void embedding_backward(Element element, const int32_t* tokens, int count, int width, int vocabulary, int32_t* ends,
                        const float* d_x, void* d_weights, cudaStream_t stream) {
  const size_t bytes = 4 * static_cast<size_t>(width) * sizeof(float), half = static_cast<size_t>(vocabulary) * 4;
  int32_t* last = ends + vocabulary;
  cudaMemsetAsync(ends, 0x7f, half, stream);
  cudaMemsetAsync(last, 0xff, half, stream);
  find_ends<<<(count + 255) / 256, 256, 0, stream>>>(tokens, count, ends, last);
  for_element(element, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    auto* kernel = width <= 256   ? backward<T, 1>
                   : width <= 512 ? backward<T, 2>
                   : width <= 768 ? backward<T, 3>
                                  : backward<T, 8>;
    kernel<<<count, 256, bytes, stream>>>(tokens, ends, last, width, d_x, static_cast<T*>(d_weights));
  });
}

void angles(const float* positions, int tokens, const double* frequencies, int pairs, float* cos, float* sin,
            cudaStream_t stream) {
  angle_table<<<(tokens * pairs + 255) / 256, 256, 0, stream>>>(positions, tokens, frequencies, pairs, cos, sin);
}

}  // namespace rfs
