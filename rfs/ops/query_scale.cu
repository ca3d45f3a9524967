#include "rfs/ops/device.cuh"
#include "rfs/ops/query_scale_launch.h"

namespace rfs {
namespace {

constexpr int threads = 256;

__global__ void __launch_bounds__(threads) forward(const QueryScale a, float* factors) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * threads + threadIdx.x;
  if (i >= static_cast<int64_t>(a.rows.tokens) * a.heads) return;
  const int keys = a.rows.within[i / a.heads] + 1, head = static_cast<int>(i % a.heads);
  float factor = 0;
  for (int k = 0; k < a.count; ++k) factor += a.learned[k][head] * a.terms[k * a.stride + keys];
  factors[i] = factor;
}

/// A block has a term and a head.
template <class T>
__global__ void __launch_bounds__(threads) backward(const QueryScale a, const QueryScaleGradient to) {
  __shared__ float sums[threads / 32];
  const int head = blockIdx.x, k = blockIdx.y;
  float sum = 0;
  for (int i = threadIdx.x; i < a.rows.tokens; i += threads) {
    sum += to.d_factors[static_cast<int64_t>(i) * a.heads + head] * a.terms[k * a.stride + a.rows.within[i] + 1];
  }
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int w = 1; w < threads / 32; ++w) sum += sums[w];
  static_cast<T*>(to.gradients[k])[head] = from_float<T>(sum);
}

}  // namespace

void query_factors(const QueryScale& a, float* factors_NH, cudaStream_t stream) {
  const int64_t elements = static_cast<int64_t>(a.rows.tokens) * a.heads;
  forward<<<static_cast<unsigned>((elements + threads - 1) / threads), threads, 0, stream>>>(a, factors_NH);
}

void query_factors_backward(const QueryScale& a, const QueryScaleGradient& to, cudaStream_t stream) {
  for_dtype(to.dtype, [&](auto* type) {
    backward<std::remove_pointer_t<decltype(type)>><<<dim3(a.heads, a.count), threads, 0, stream>>>(a, to);
  });
}

}  // namespace rfs
