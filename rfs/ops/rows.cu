#include "rfs/ops/device.cuh"
#include "rfs/ops/rows_launch.h"

namespace rfs {
namespace {

__global__ void __launch_bounds__(256) gather(const uint4* from, const int32_t* of, int count, int pieces, uint4* to) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * 256 + threadIdx.x;
  const int row = static_cast<int>(i / pieces);
  if (row >= count) return;
  const int source = of[row];
  to[i] = source < 0 ? make_uint4(0, 0, 0, 0) : from[static_cast<int64_t>(source) * pieces + i % pieces];
}

}  // namespace

void gather_rows(const void* from, const int32_t* of, int count, int bytes, void* to, cudaStream_t stream) {
  const int pieces = bytes / 16;
  const int64_t all = static_cast<int64_t>(count) * pieces;
  gather<<<static_cast<unsigned>((all + 255) / 256), 256, 0, stream>>>(static_cast<const uint4*>(from), of, count,
                                                                       pieces, static_cast<uint4*>(to));
}

}  // namespace rfs
