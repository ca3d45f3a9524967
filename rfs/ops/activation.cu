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

__device__ __forceinline__ float silu(float x) {
  return x / (1 + __expf(-x));
}

__device__ __forceinline__ float silu_slope(float x) {
  const float s = 1 / (1 + __expf(-x));
  return s * (1 + x * (1 - s));
}

template <FeedForward Kind>
constexpr bool gated = is_gated(Kind);

template <FeedForward Kind>
__device__ __forceinline__ float act(float x) {
  if (Kind == FeedForward::relu) return fmaxf(x, 0);
  return Kind == FeedForward::swiglu ? silu(x) : gelu(x);
}
template <FeedForward Kind>
__device__ __forceinline__ float act_slope(float x) {
  return Kind == FeedForward::swiglu ? silu_slope(x) : gelu_slope(x);
}

/// How dropout numbers the elements of a row: the sample, and the index of the row's first element.
struct Row {
  uint64_t sample = 0, first = 0;
};
__device__ __forceinline__ Row find(const Activation& a, int row) {
  if (a.dropout.threshold == 0) return {};
  const int token = a.select ? a.select[row] : row;
  return {a.rows.sample[token], static_cast<uint64_t>(a.rows.within[token]) * a.width};
}

// A thread processes eight elements of one row. threadIdx.x selects the elements, threadIdx.y the row within the block.
template <class T, FeedForward Kind>
__global__ void __launch_bounds__(most_row_threads) forward(const Activation a) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= a.count) return;
  for (int column = 8 * threadIdx.x; column < a.width; column += 8 * blockDim.x) {
    const T* from = static_cast<const T*>(a.u) + static_cast<int64_t>(row) * (gated<Kind> ? 2 : 1) * a.width + column;
    float x[8];
    load8(from, x);
    const Row its = find(a, row);
#pragma unroll
    for (int i = 0; i < 8; ++i) x[i] = act<Kind>(x[i]);
    if (gated<Kind>) {
      float gate[8];
      load8(from + a.width, gate);
#pragma unroll
      for (int i = 0; i < 8; ++i) x[i] *= gate[i];
    }
    drop8(a.dropout, its.sample, a.site, its.first + column, x);
    store8(static_cast<T*>(a.h) + static_cast<int64_t>(row) * a.width + column, x);
  }
}

template <class T, FeedForward Kind>
__global__ void __launch_bounds__(most_row_threads) backward(const Activation a, const T* d_h, T* d_u) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= a.count) return;
  for (int column = 8 * threadIdx.x; column < a.width; column += 8 * blockDim.x) {
    const int64_t of_h = static_cast<int64_t>(row) * a.width + column;
    const int64_t of_u = static_cast<int64_t>(row) * (gated<Kind> ? 2 : 1) * a.width + column;
    float g[8], x[8];
    load8(d_h + of_h, g);
    if (Kind == FeedForward::relu) {
      // A hidden element above zero passed both ReLU and dropout.
      load8(static_cast<const T*>(a.h) + of_h, x);
#pragma unroll
      for (int i = 0; i < 8; ++i) g[i] = x[i] > 0 ? g[i] * a.dropout.scale : 0;
      store8(d_u + of_u, g);
      continue;
    }
    load8(static_cast<const T*>(a.u) + of_u, x);
    const Row its = find(a, row);
    drop8(a.dropout, its.sample, a.site, its.first + column, g);
    if (gated<Kind>) {
      float gate[8], d_gate[8];
      load8(static_cast<const T*>(a.u) + of_u + a.width, gate);
#pragma unroll
      for (int i = 0; i < 8; ++i) d_gate[i] = g[i] * act<Kind>(x[i]), g[i] *= gate[i];
      store8(d_u + of_u + a.width, d_gate);
    }
#pragma unroll
    for (int i = 0; i < 8; ++i) g[i] *= act_slope<Kind>(x[i]);
    store8(d_u + of_u, g);
  }
}

/// Calls `body` with the kind as a compile-time constant.
template <class Body>
void for_kind(FeedForward kind, Body body) {
  switch (kind) {
    case FeedForward::relu:
      return body(std::integral_constant<FeedForward, FeedForward::relu>());
    case FeedForward::gelu:
      return body(std::integral_constant<FeedForward, FeedForward::gelu>());
    case FeedForward::swiglu:
      return body(std::integral_constant<FeedForward, FeedForward::swiglu>());
    case FeedForward::geglu:
      return body(std::integral_constant<FeedForward, FeedForward::geglu>());
    case FeedForward::gelu_erf:
      break;  // kernel_refusal rejects it
  }
}

}  // namespace

void activation_forward(const Activation& a, cudaStream_t stream) {
  for_dtype(a.dtype, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    for_kind(a.kind, [&](auto kind) {
      forward<T, decltype(kind)::value><<<row_blocks(a.count, a.width / 8), row_threads(a.width / 8), 0, stream>>>(a);
    });
  });
}

void activation_backward(const Activation& a, const void* d_h, void* d_u, cudaStream_t stream) {
  for_dtype(a.dtype, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    for_kind(a.kind, [&](auto kind) {
      backward<T, decltype(kind)::value><<<row_blocks(a.count, a.width / 8), row_threads(a.width / 8), 0, stream>>>(
          a, static_cast<const T*>(d_h), static_cast<T*>(d_u));
    });
  });
}

}  // namespace rfs
