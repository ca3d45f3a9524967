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

constexpr int threads = 256;
constexpr int pieces = 4;  // of eight elements, for a thread, which so has as many loads on the way

/// Calls `body(k, piece)` for this thread's pieces, k = 0 .. pieces - 1.
template <class Body>
__device__ __forceinline__ void for_each_piece(const Activation& a, Body body) {
  const int all = a.count * (a.width / 8), first = blockIdx.x * threads * pieces + threadIdx.x;
#pragma unroll
  for (int k = 0; k < pieces; ++k) {
    if (first + k * threads < all) body(k, first + k * threads);
  }
}

__device__ __forceinline__ int64_t at(int piece) {
  return int64_t{8} * piece;
}

__device__ __forceinline__ void drop(const Activation& a, int piece, float (&x)[8]) {
  if (a.dropout.threshold == 0) return;
  const int eighths = a.width / 8, row = piece / eighths;
  const int token = a.select ? a.select[row] : row;
  const auto index = static_cast<uint64_t>(a.rows.within[token]) * a.width + 8 * (piece - row * eighths);
  drop8(a.dropout, a.rows.sample[token], a.site, index, x);
}

template <class T, bool Gelu>
__global__ void __launch_bounds__(threads) forward(const Activation a) {
  float x[pieces][8];
  for_each_piece(a, [&](int k, int piece) { load8(static_cast<const T*>(a.u) + at(piece), x[k]); });
  for_each_piece(a, [&](int k, int piece) {
#pragma unroll
    for (float& each : x[k]) each = Gelu ? gelu(each) : fmaxf(each, 0);
    drop(a, piece, x[k]);
    store8(static_cast<T*>(a.h) + at(piece), x[k]);
  });
}

template <class T, bool Gelu>
__global__ void __launch_bounds__(threads) backward(const Activation a, T* d) {
  float g[pieces][8], x[pieces][8];
  for_each_piece(a, [&](int k, int piece) {
    load8(d + at(piece), g[k]);
    load8(static_cast<const T*>(Gelu ? a.u : a.h) + at(piece), x[k]);
  });
  for_each_piece(a, [&](int k, int piece) {
    if (Gelu) {
      drop(a, piece, g[k]);
#pragma unroll
      for (int i = 0; i < 8; ++i) g[k][i] *= gelu_slope(x[k][i]);
    } else {
      // A hidden element above zero was kept by both: ReLU and dropout.
#pragma unroll
      for (int i = 0; i < 8; ++i) g[k][i] = x[k][i] > 0 ? g[k][i] * a.dropout.scale : 0;
    }
    store8(d + at(piece), g[k]);
  });
}

int blocks(const Activation& a) {
  constexpr int a_block = threads * pieces;
  return (a.count * (a.width / 8) + a_block - 1) / a_block;
}

}  // namespace

void activation_forward(const Activation& a, cudaStream_t stream) {
  for_element(a.element, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    auto* kernel = a.gelu ? forward<T, true> : forward<T, false>;
    kernel<<<blocks(a), threads, 0, stream>>>(a);
  });
}

void activation_backward(const Activation& a, void* d, cudaStream_t stream) {
  for_element(a.element, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    auto* kernel = a.gelu ? backward<T, true> : backward<T, false>;
    kernel<<<blocks(a), threads, 0, stream>>>(a, static_cast<T*>(d));
  });
}

}  // namespace rfs
