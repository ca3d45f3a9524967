#include "rfs/ops/device.cuh"
#include "rfs/ops/query_scale_launch.h"

namespace rfs {
namespace {

constexpr int threads = 256;

/// One block per head and tensor.
template <class T>
__global__ void __launch_bounds__(threads) sum(const ScaleGradient* tensors, const DeviceRows rows, int heads) {
  __shared__ float sums[threads / 32];
  const ScaleGradient a = tensors[blockIdx.y];
  const int head = blockIdx.x;
  float total = 0;
  for (int i = threadIdx.x; i < rows.tokens; i += threads) {
    total += a.d_factors[static_cast<int64_t>(i) * heads + head] * a.terms[rows.within[i] + 1];
  }
  total = warp_sum(total);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = total;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int w = 1; w < threads / 32; ++w) total += sums[w];
  static_cast<T*>(a.gradient)[head] = from_float<T>(total);
}

}  // namespace

void scale_gradients(DType dtype, const ScaleGradient* tensors, int count, const DeviceRows& rows, int heads,
                     cudaStream_t stream) {
  for_dtype(dtype, [&](auto* type) {
    sum<std::remove_pointer_t<decltype(type)>><<<dim3(heads, count), threads, 0, stream>>>(tensors, rows, heads);
  });
}

}  // namespace rfs
