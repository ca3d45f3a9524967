// One warp per token. A lane holds columns 8 * lane .. 8 * lane + 7 of every 256 columns.

#include <algorithm>

#include "rfs/ops/device.cuh"
#include "rfs/ops/norm_launch.h"

namespace rfs {
namespace {

constexpr int warps = 8;
constexpr int most_blocks = 264;

/// Loads one lane's elements of a row. All loads of a row are issued before the first result is needed, as long as no
/// branch and no store separates them.
template <class T, int C>
__device__ __forceinline__ void load_row(const T* row, int lane, int width, float (&x)[C][8]) {
#pragma unroll
  for (int c = 0; c < C; ++c) {
    if (256 * c + 8 * lane < width) load8(row + 256 * c + 8 * lane, x[c]);
  }
}
template <class T, int C>
__device__ __forceinline__ void store_row(T* row, int lane, int width, const float (&x)[C][8]) {
#pragma unroll
  for (int c = 0; c < C; ++c) {
    if (256 * c + 8 * lane < width) store8(row + 256 * c + 8 * lane, x[c]);
  }
}

/// Rounds to what an element of type S holds.
template <class S, int C>
__device__ __forceinline__ void round_row(float (&x)[C][8]) {
#pragma unroll
  for (int c = 0; c < C; ++c) {
#pragma unroll
    for (int i = 0; i < 8; ++i) x[c][i] = to_float(from_float<S>(x[c][i]));
  }
}

template <class T, class S, int C, bool Shift>
__global__ void __launch_bounds__(32 * warps) forward(const NormForward a) {
  const int r = blockIdx.x * warps + threadIdx.x / 32, lane = threadIdx.x % 32, width = a.width;
  if (r >= a.count) return;
  const int token = a.select ? a.select[r] : r;
  const int64_t from = static_cast<int64_t>(a.x_selected ? r : token) * width, to = static_cast<int64_t>(r) * width;
  const bool drops = a.dropout.threshold != 0;
  const uint64_t sample = drops ? a.rows.sample[token] : 0;
  const uint64_t first = drops ? static_cast<uint64_t>(a.rows.within[token]) * width : 0;
  float x[C][8] = {};
  load_row(static_cast<const S*>(a.x) + from, lane, width, x);
  if (a.branch) {
    float branch[C][8] = {};
    load_row(static_cast<const T*>(a.branch) + to, lane, width, branch);
#pragma unroll
    for (int c = 0; c < C; ++c) {
      const int column = 256 * c + 8 * lane;
      const uint32_t bits = drop8(a.dropout, sample, a.branch_site, first + column, branch[c]);
      if (a.branch_kept && column < width) a.branch_kept[(to + column) / 8] = static_cast<uint8_t>(bits);
#pragma unroll
      for (int i = 0; i < 8; ++i) x[c][i] += branch[c][i];
    }
  }
  round_row<S>(x);
  if (a.sum) store_row(static_cast<S*>(a.sum) + to, lane, width, x);
  float weight[C][8] = {}, bias[C][8] = {};
  load_row(a.weight, lane, width, weight);
  if (Shift) load_row(a.bias, lane, width, bias);
  float total = 0;
#pragma unroll
  for (int c = 0; c < C; ++c) {
#pragma unroll
    for (int i = 0; i < 8; ++i) total += x[c][i];
  }
  const float mean = Shift ? warp_sum(total) / width : 0;
  float square = 0;
#pragma unroll
  for (int c = 0; c < C; ++c) {
    if (256 * c + 8 * lane >= width) continue;
#pragma unroll
    for (int i = 0; i < 8; ++i) square += (x[c][i] - mean) * (x[c][i] - mean);
  }
  const float inverse = rsqrtf(warp_sum(square) / width + a.epsilon);
  if (lane == 0) {
    a.inverse[r] = inverse;
    if (Shift) a.mean[r] = mean;
  }
#pragma unroll
  for (int c = 0; c < C; ++c) {
#pragma unroll
    for (int i = 0; i < 8; ++i) x[c][i] = ((x[c][i] - mean) * inverse * weight[c][i] + bias[c][i]) * a.scale;
  }
  if (a.output_site >= 0) {
#pragma unroll
    for (int c = 0; c < C; ++c) drop8(a.dropout, sample, a.output_site, first + 256 * c + 8 * lane, x[c]);
  }
  store_row(static_cast<T*>(a.y) + to, lane, width, x);
}

/// Adds up the warps' sums in a fixed order: first the upper half of the warps into the lower half, then the lower
/// half. `shared` has warps / 2 rows.
template <int C>
__device__ void add_warps(const float (&sums)[C][8], int width, float* shared, float* to) {
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, half = warps / 2;
  __syncthreads();
#pragma unroll
  for (int adder = 1; adder >= 0; --adder) {
    if (warp / half == adder) {
#pragma unroll
      for (int c = 0; c < C; ++c) {
        const int column = 256 * c + 8 * lane;
        if (column >= width) continue;
        float* mine = shared + warp % half * width + column;
        float value[8];
#pragma unroll
        for (int i = 0; i < 8; ++i) value[i] = sums[c][i];
        if (adder == 0) {
          float other[8];
          load8(mine, other);
#pragma unroll
          for (int i = 0; i < 8; ++i) value[i] += other[i];
        }
        store8(mine, value);
      }
    }
    __syncthreads();
  }
  for (int column = threadIdx.x; column < width; column += 32 * warps) {
    float total = shared[column];
    for (int other = 1; other < half; ++other) total += shared[other * width + column];
    to[column] = total;
  }
}

template <class T, class S, int C, bool Shift>
__global__ void __launch_bounds__(32 * warps, C <= 3 ? 2 : 1) backward(const NormBackward a) {
  extern __shared__ float shared[];
  const int lane = threadIdx.x % 32, width = a.width;
  float d_weight[C][8] = {}, d_bias[Shift ? C : 1][8] = {};
  for (int row = blockIdx.x * warps + threadIdx.x / 32; row < a.count; row += gridDim.x * warps) {
    const int token = a.select ? a.select[row] : row, r = a.target_of ? a.target_of[row] : row;
    const bool drops = a.dropout.threshold != 0;
    const uint64_t sample = drops ? a.rows.sample[token] : 0;
    const uint64_t first = drops ? static_cast<uint64_t>(a.rows.within[token]) * width : 0;
    const int64_t at = static_cast<int64_t>(r) * width;
    float g[C][8] = {}, hat[C][8] = {}, inverse = 0, mean = 0;
    uint32_t kept[C] = {};
    {
      float weight[C][8] = {};
      if (r >= 0) {
        load_row(static_cast<const T*>(a.d_y) + at, lane, width, g);
        load_row(static_cast<const S*>(a.sum) + at, lane, width, hat);
        load_row(a.weight, lane, width, weight);
        inverse = a.inverse[r];
        if (Shift) mean = a.mean[r];
        if (a.branch_kept) {
#pragma unroll
          for (int c = 0; c < C; ++c) {
            if (256 * c + 8 * lane < width) kept[c] = a.branch_kept[(at + 256 * c) / 8 + lane];
          }
        }
      }
      if (a.output_site >= 0) {
#pragma unroll
        for (int c = 0; c < C; ++c) drop8(a.dropout, sample, a.output_site, first + 256 * c + 8 * lane, g[c]);
      }
#pragma unroll
      for (int c = 0; c < C; ++c) {
#pragma unroll
        for (int i = 0; i < 8; ++i) {
          g[c][i] *= a.scale;
          hat[c][i] = (hat[c][i] - mean) * inverse;
          d_weight[c][i] += g[c][i] * hat[c][i];
          if (Shift) d_bias[Shift ? c : 0][i] += g[c][i];
          g[c][i] *= weight[c][i];
        }
      }
    }
    float past[C][8] = {}, along = 0, total = 0;
    if (a.d_past && r >= 0) load_row(static_cast<const S*>(a.d_past) + at, lane, width, past);
#pragma unroll
    for (int c = 0; c < C; ++c) {
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        along += g[c][i] * hat[c][i];
        total += g[c][i];
      }
    }
    along = warp_sum(along) / width;
    total = Shift ? warp_sum(total) / width : 0;
#pragma unroll
    for (int c = 0; c < C; ++c) {
#pragma unroll
      for (int i = 0; i < 8; ++i) past[c][i] += inverse * (g[c][i] - hat[c][i] * along - total);
    }
    if (a.stream_site >= 0) {
#pragma unroll
      for (int c = 0; c < C; ++c) drop8(a.dropout, sample, a.stream_site, first + 256 * c + 8 * lane, past[c]);
    }
    store_row(static_cast<S*>(a.d_stream) + static_cast<int64_t>(row) * width, lane, width, past);
    if (!a.d_branch || r < 0) continue;
    if (a.dropout.threshold) {
#pragma unroll
      for (int c = 0; c < C; ++c) keep8(a.dropout, kept[c], past[c]);
    }
    store_row(static_cast<T*>(a.d_branch) + at, lane, width, past);
  }
  float* to = a.partial + static_cast<int64_t>(blockIdx.x) * (Shift ? 2 : 1) * width;
  add_warps<C>(d_weight, width, shared, to);
  if constexpr (Shift) add_warps<C>(d_bias, width, shared, to + width);
}

template <class T>
__global__ void __launch_bounds__(256) add_sets(const PartialSums* sets) {
  __shared__ float parts[8][32];
  const PartialSums set = sets[blockIdx.y];
  const int column = blockIdx.x * 32 + threadIdx.x % 32, part = threadIdx.x / 32;
  float total = 0;
  if (column < set.columns) {
#pragma unroll 8
    for (int block = part; block < set.blocks; block += 8) {
      total += set.from[static_cast<int64_t>(block) * set.stride + column];
    }
  }
  parts[part][threadIdx.x % 32] = total;
  __syncthreads();
  if (part != 0 || column >= set.columns) return;
  for (int other = 1; other < 8; ++other) total += parts[other][threadIdx.x];
  static_cast<T*>(set.to)[column] = from_float<T>(total);
}

/// Calls `body` with the number of 256-column pieces as a compile-time constant.
template <class Body>
void for_width(int width, Body body) {
  switch ((width + 255) / 256) {
    case 1:
      return body(std::integral_constant<int, 1>());
    case 2:
      return body(std::integral_constant<int, 2>());
    case 3:
      return body(std::integral_constant<int, 3>());
    case 4:
      return body(std::integral_constant<int, 4>());
    case 5:
    case 6:
      return body(std::integral_constant<int, 6>());
    case 7:
    case 8:
      return body(std::integral_constant<int, 8>());
    default:  // the arrays of a lane no longer fit into its registers, and the shared memory is full
      static_assert(widest_norm == 256 * 12 && warps / 2 * widest_norm * sizeof(float) <= 48 * 1024);
      return body(std::integral_constant<int, 12>());
  }
}

/// Calls `body` with null pointers of the element type and of the residual stream's.
template <class Body>
void for_dtypes(DType dtype, DType stream, Body body) {
  if (stream == DType::bf16) return body(static_cast<bf16*>(nullptr), static_cast<bf16*>(nullptr));
  for_dtype(dtype, [&](auto* type) { body(type, static_cast<float*>(nullptr)); });
}

}  // namespace

int norm_blocks(int rows) {
  return std::min((rows + warps - 1) / warps, most_blocks);
}

void norm_forward(const NormForward& a, cudaStream_t stream) {
  for_dtypes(a.dtype, a.stream, [&](auto* type, auto* stream_type) {
    using T = std::remove_pointer_t<decltype(type)>;
    using S = std::remove_pointer_t<decltype(stream_type)>;
    for_width(a.width, [&](auto pieces) {
      constexpr int C = decltype(pieces)::value;
      auto* kernel = a.bias ? forward<T, S, C, true> : forward<T, S, C, false>;
      kernel<<<(a.count + warps - 1) / warps, 32 * warps, 0, stream>>>(a);
    });
  });
}

void norm_backward(const NormBackward& a, cudaStream_t stream) {
  for_dtypes(a.dtype, a.stream, [&](auto* type, auto* stream_type) {
    using T = std::remove_pointer_t<decltype(type)>;
    using S = std::remove_pointer_t<decltype(stream_type)>;
    for_width(a.width, [&](auto pieces) {
      constexpr int C = decltype(pieces)::value;
      auto* kernel = a.shift ? backward<T, S, C, true> : backward<T, S, C, false>;
      kernel<<<norm_blocks(a.count), 32 * warps, warps / 2 * a.width * sizeof(float), stream>>>(a);
    });
  });
}

void add_partial_sums(DType dtype, const PartialSums* sets, int count, int widest, cudaStream_t stream) {
  if (count == 0) return;
  for_dtype(dtype, [&](auto* type) {
    add_sets<std::remove_pointer_t<decltype(type)>><<<dim3((widest + 31) / 32, count), 256, 0, stream>>>(sets);
  });
}

}  // namespace rfs
