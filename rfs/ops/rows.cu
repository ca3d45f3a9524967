#include "rfs/ops/device.cuh"
#include "rfs/ops/rows_launch.h"

namespace rfs {
namespace {

__global__ void __launch_bounds__(most_row_threads)
    gather(const uint4* from, const int32_t* of, int count, int pieces, uint4* to) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= count) return;
  const int64_t source = of[row];
  for (int i = threadIdx.x; i < pieces; i += blockDim.x) {
    to[static_cast<int64_t>(row) * pieces + i] = source < 0 ? make_uint4(0, 0, 0, 0) : from[source * pieces + i];
  }
}

}  // namespace

void gather_rows(const void* from, const int32_t* of, int count, int bytes, void* to, cudaStream_t stream) {
  const int pieces = bytes / 16;
  gather<<<row_blocks(count, pieces), row_threads(pieces), 0, stream>>>(static_cast<const uint4*>(from), of, count,
                                                                        pieces, static_cast<uint4*>(to));
}

}  // namespace rfs
