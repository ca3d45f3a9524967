#include <cub/device/device_radix_sort.cuh>

#include "rfs/ops/adamw.cuh"
#include "rfs/ops/embedding_launch.h"
#include "rfs/ops/norm_limits.h"

namespace rfs {
namespace {

template <class T, class X>
__global__ void __launch_bounds__(256) forward(const Embedding a, const Update update, int64_t begin, X* x) {
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

/// An occurrence of a token: the token in the upper half, its index in the lower half. A stable sort by token keeps the
/// indices in order.
using Occurrence = uint64_t;
__device__ __forceinline__ int token_of(Occurrence one) {
  return static_cast<int>(one >> 32);
}

__global__ void __launch_bounds__(256) occurrences(const int32_t* tokens, int count, Occurrence* to) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < count) to[i] = static_cast<Occurrence>(tokens[i]) << 32 | static_cast<uint32_t>(i);
}

/// One block per occurrence. Only the block of a token's first occurrence works: it adds up all occurrences, each warp
/// every eighth.
template <class T, class X, int C>
__global__ void __launch_bounds__(256, C <= 3 ? 3 : 1)
    backward(const Occurrence* order, int count, int width, const X* d_x, T* d_weights) {
  extern __shared__ float sums[];  // [4, width]
  const int first = blockIdx.x, id = token_of(order[first]), warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (first > 0 && token_of(order[first - 1]) == id) return;
  constexpr int at_once = C <= 3 ? 2 : 1;
  float total[C][8] = {};
  for (int base = first + warp; base < count; base += 8 * at_once) {
    bool mine = false;
    float g[at_once][C][8] = {};
#pragma unroll
    for (int u = 0; u < at_once; ++u) {
      const int at = base + 8 * u;
      const Occurrence one = order[min(at, count - 1)];
      mine = at < count && token_of(one) == id;
      if (!mine) continue;
      const X* from = d_x + static_cast<int64_t>(static_cast<uint32_t>(one)) * width;
#pragma unroll
      for (int c = 0; c < C; ++c) {
        if (256 * c + 8 * lane < width) load8(from + 256 * c + 8 * lane, g[u][c]);
      }
    }
#pragma unroll
    for (int u = 0; u < at_once; ++u) {
#pragma unroll
      for (int c = 0; c < C; ++c) {
#pragma unroll
        for (int i = 0; i < 8; ++i) total[c][i] += g[u][c][i];
      }
    }
    if (!mine) break;
  }
#pragma unroll
  for (int adder = 1; adder >= 0; --adder) {
    if (warp / 4 == adder) {
#pragma unroll
      for (int c = 0; c < C; ++c) {
        const int column = 256 * c + 8 * lane;
        if (column >= width) continue;
        float* mine = sums + warp % 4 * width + column;
        if (adder == 0) {
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

/// Layout of the sort's memory: the sorted order at 0, then the unsorted one, then the scratch space of the sort.
struct Pieces {
  size_t scratch = 0, end = 0;
  int bits = 33;  ///< one past the highest bit that distinguishes tokens
};
cudaError_t find_pieces(int count, int vocabulary, Pieces& at) {
  while (at.bits < 63 && (int64_t{1} << (at.bits - 32)) < vocabulary) ++at.bits;
  at.scratch = (2 * static_cast<size_t>(count) * sizeof(Occurrence) + 255) / 256 * 256;
  size_t bytes = 0;
  const cudaError_t code = cub::DeviceRadixSort::SortKeys(nullptr, bytes, static_cast<const Occurrence*>(nullptr),
                                                          static_cast<Occurrence*>(nullptr), count, 32, at.bits);
  at.end = at.scratch + bytes;
  return code;
}

}  // namespace

void embedding_forward(const Embedding& a, const Update& update, int64_t begin, DType of_x, void* x,
                       cudaStream_t stream) {
  const int64_t chunks = static_cast<int64_t>(a.rows.tokens) * a.width / 8;
  for_dtype(update.flat.dtype, [&](auto* type) {
    for_dtype(of_x, [&](auto* x_type) {
      using T = std::remove_pointer_t<decltype(type)>;
      using X = std::remove_pointer_t<decltype(x_type)>;
      const auto blocks = static_cast<unsigned>((chunks + 255) / 256);
      forward<T, X><<<blocks, 256, 0, stream>>>(a, update, begin, static_cast<X*>(x));
    });
  });
}

cudaError_t token_order_bytes(int count, int vocabulary, size_t& bytes) {
  Pieces at;
  const cudaError_t code = find_pieces(count, vocabulary, at);
  bytes = at.end;
  return code;
}

cudaError_t order_tokens(const int32_t* tokens, int count, int vocabulary, void* order, cudaStream_t stream) {
  Pieces at;
  if (const cudaError_t code = find_pieces(count, vocabulary, at); code != cudaSuccess) return code;
  auto* sorted = static_cast<Occurrence*>(order);
  Occurrence* unsorted = sorted + count;
  occurrences<<<(count + 255) / 256, 256, 0, stream>>>(tokens, count, unsorted);
  size_t scratch = at.end - at.scratch;
  return cub::DeviceRadixSort::SortKeys(static_cast<char*>(order) + at.scratch, scratch, unsorted, sorted, count, 32,
                                        at.bits, stream);
}

void embedding_backward(DType dtype, const void* order, int count, int width, DType of_x, const void* d_x,
                        void* d_weights, cudaStream_t stream) {
  static_assert(widest_norm <= 12 * 256 && 4 * widest_norm * sizeof(float) <= 48 * 1024);
  const size_t bytes = 4 * static_cast<size_t>(width) * sizeof(float);
  for_dtype(dtype, [&](auto* type) {
    for_dtype(of_x, [&](auto* x_type) {
      using T = std::remove_pointer_t<decltype(type)>;
      using X = std::remove_pointer_t<decltype(x_type)>;
      auto* kernel = width <= 256    ? backward<T, X, 1>
                     : width <= 512  ? backward<T, X, 2>
                     : width <= 768  ? backward<T, X, 3>
                     : width <= 2048 ? backward<T, X, 8>
                                     : backward<T, X, 12>;
      kernel<<<count, 256, bytes, stream>>>(static_cast<const Occurrence*>(order), count, width,
                                            static_cast<const X*>(d_x), static_cast<T*>(d_weights));
    });
  });
}

void angles(const float* positions, int tokens, const double* frequencies, int pairs, float* cos, float* sin,
            cudaStream_t stream) {
  angle_table<<<(tokens * pairs + 255) / 256, 256, 0, stream>>>(positions, tokens, frequencies, pairs, cos, sin);
}

}  // namespace rfs
