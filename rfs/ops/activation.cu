#include "rfs/ops/activation_launch.h"
#include "rfs/ops/device.cuh"

namespace rfs {
namespace {

constexpr float root = 0.7978845608028654f;  // sqrt(2 / pi)
constexpr float cubic = 0.044715f;

__device__ __forceinline__ float gelu(float x) {
  return 0.5f * x * (1 + tanhf(root * (x + cubic * x * x * x)));
}

__device__ __forceinline__ float gelu_slope(float x) {
  const float t = tanhf(root * (x + cubic * x * x * x));
  return 0.5f * (1 + t) + 0.5f * x * (1 - t * t) * root * (1 + 3 * cubic * x * x);
}

/// A row that dropout counts by.
struct Row {
  uint64_t sample = 0, first = 0;
};
__device__ __forceinline__ Row find(const Activation& a, int row) {
  if (a.dropout.threshold == 0) return {};
  const int token = a.select ? a.select[row] : row;
  return {a.rows.sample[token], static_cast<uint64_t>(a.rows.within[token]) * a.width};
}

// A thread has eight elements of one row: threadIdx.x says which of the row, threadIdx.y which row of the block's.
template <class T, bool Gelu>
__global__ void __launch_bounds__(most_row_threads) forward(const Activation a) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= a.count) return;
  for (int column = 8 * threadIdx.x; column < a.width; column += 8 * blockDim.x) {
    const int64_t at = static_cast<int64_t>(row) * a.width + column;
    float x[8];
    load8(static_cast<const T*>(a.u) + at, x);
    const Row its = find(a, row);
#pragma unroll
    for (int i = 0; i < 8; ++i) x[i] = Gelu ? gelu(x[i]) : fmaxf(x[i], 0);
    drop8(a.dropout, its.sample, a.site, its.first + column, x);
    store8(static_cast<T*>(a.h) + at, x);
  }
}

template <class T, bool Gelu>
__global__ void __launch_bounds__(most_row_threads) backward(const Activation a, T* d) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= a.count) return;
  for (int column = 8 * threadIdx.x; column < a.width; column += 8 * blockDim.x) {
    const int64_t at = static_cast<int64_t>(row) * a.width + column;
    float g[8], x[8];
    load8(d + at, g);
    load8(static_cast<const T*>(Gelu ? a.u : a.h) + at, x);
    if (Gelu) {
      const Row its = find(a, row);
      drop8(a.dropout, its.sample, a.site, its.first + column, g);
#pragma unroll
      for (int i = 0; i < 8; ++i) g[i] *= gelu_slope(x[i]);
    } else {
      // A hidden element above zero was kept by both: ReLU and dropout.
#pragma unroll
      for (int i = 0; i < 8; ++i) g[i] = x[i] > 0 ? g[i] * a.dropout.scale : 0;
    }
    store8(d + at, g);
  }
}

}  // namespace

void activation_forward(const Activation& a, cudaStream_t stream) {
  for_dtype(a.dtype, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    auto* kernel = a.gelu ? forward<T, true> : forward<T, false>;
    kernel<<<row_blocks(a.count, a.width / 8), row_threads(a.width / 8), 0, stream>>>(a);
  });
}

void activation_backward(const Activation& a, void* d, cudaStream_t stream) {
  for_dtype(a.dtype, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    auto* kernel = a.gelu ? backward<T, true> : backward<T, false>;
    kernel<<<row_blocks(a.count, a.width / 8), row_threads(a.width / 8), 0, stream>>>(a, static_cast<T*>(d));
  });
}

}  // namespace rfs
