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

/// Where a thread's eight elements lie: false where there are none.
struct Place {
  int64_t at;
  uint64_t sample, index;
};
__device__ __forceinline__ bool find(const Activation& a, Place& place) {
  const int eighths = a.width / 8;
  const int64_t chunk = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const int row = static_cast<int>(chunk / eighths);
  if (row >= a.count) return false;
  place.at = 8 * chunk;
  if (a.dropout.threshold) {
    const int token = a.select ? a.select[row] : row;
    place.sample = a.rows.sample[token];
    place.index = static_cast<uint64_t>(a.rows.within[token]) * a.width + 8 * (chunk % eighths);
  }
  return true;
}

template <class T, bool Gelu>
__global__ void __launch_bounds__(256) forward(const Activation a) {
  Place place;
  if (!find(a, place)) return;
  float x[8];
  load8(static_cast<const T*>(a.u) + place.at, x);
#pragma unroll
  for (int i = 0; i < 8; ++i) x[i] = Gelu ? gelu(x[i]) : fmaxf(x[i], 0);
  drop8(a.dropout, place.sample, a.site, place.index, x);
  store8(static_cast<T*>(a.h) + place.at, x);
}

template <class T, bool Gelu>
__global__ void __launch_bounds__(256) backward(const Activation a, T* d) {
  Place place;
  if (!find(a, place)) return;
  float g[8], x[8];
  load8(d + place.at, g);
  load8(static_cast<const T*>(Gelu ? a.u : a.h) + place.at, x);
  if (Gelu) {
    drop8(a.dropout, place.sample, a.site, place.index, g);
#pragma unroll
    for (int i = 0; i < 8; ++i) g[i] *= gelu_slope(x[i]);
  } else {
    // A hidden element above zero was kept by both: ReLU and dropout.
#pragma unroll
    for (int i = 0; i < 8; ++i) g[i] = x[i] > 0 ? g[i] * a.dropout.scale : 0;
  }
  store8(d + place.at, g);
}

int blocks(const Activation& a) {
  const int64_t chunks = static_cast<int64_t>(a.count) * a.width / 8;
  return static_cast<int>((chunks + 255) / 256);
}

}  // namespace

void activation_forward(const Activation& a, cudaStream_t stream) {
  for_element(a.element, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    auto* kernel = a.gelu ? forward<T, true> : forward<T, false>;
    kernel<<<blocks(a), 256, 0, stream>>>(a);
  });
}

void activation_backward(const Activation& a, void* d, cudaStream_t stream) {
  for_element(a.element, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    auto* kernel = a.gelu ? backward<T, true> : backward<T, false>;
    kernel<<<blocks(a), 256, 0, stream>>>(a, static_cast<T*>(d));
  });
}

}  // namespace rfs
