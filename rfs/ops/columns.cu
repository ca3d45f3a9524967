// A block handles 256 columns of one part of the rows. A warp handles every eighth of these rows, a lane eight
// neighbouring columns.

#include "rfs/ops/columns_launch.h"
#include "rfs/ops/device.cuh"

namespace rfs {
namespace {

template <class T>
__global__ void __launch_bounds__(256) sums(const T* x, int rows, int columns, float* partial) {
  __shared__ float shared[8][256];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, column = 256 * blockIdx.x + 8 * lane;
  const int each = (rows + column_parts - 1) / column_parts, begin = blockIdx.y * each, end = min(begin + each, rows);
  float total[8] = {};
  if (column < columns) {
#pragma unroll 8
    for (int row = begin + warp; row < end; row += 8) {
      float value[8];
      load8(x + static_cast<int64_t>(row) * columns + column, value);
#pragma unroll
      for (int i = 0; i < 8; ++i) total[i] += value[i];
    }
  }
  store8(shared[warp] + 8 * lane, total);
  __syncthreads();
  const int mine = 256 * blockIdx.x + threadIdx.x;
  if (mine >= columns) return;
  float sum = 0;
#pragma unroll
  for (int w = 0; w < 8; ++w) sum += shared[w][threadIdx.x];
  partial[static_cast<int64_t>(blockIdx.y) * columns + mine] = sum;
}

}  // namespace

void column_sums(DType dtype, const void* x, int rows, int columns, float* partial, cudaStream_t stream) {
  const dim3 blocks((columns + 255) / 256, column_parts);
  for_dtype(dtype, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    sums<T><<<blocks, 256, 0, stream>>>(static_cast<const T*>(x), rows, columns, partial);
  });
}

}  // namespace rfs
