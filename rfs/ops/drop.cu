#include "rfs/ops/device.cuh"
#include "rfs/ops/drop_launch.h"

namespace rfs {
namespace {

template <class From, class To>
__global__ void __launch_bounds__(most_row_threads) drop(const Drop a) {
  const int token = blockIdx.x * blockDim.y + threadIdx.y;
  if (token >= a.rows.tokens) return;
  for (int column = 8 * threadIdx.x; column < a.width; column += 8 * blockDim.x) {
    const int64_t at = static_cast<int64_t>(token) * a.width + column;
    float x[8];
    load8(static_cast<const From*>(a.x) + at, x);
    if (a.dropout.threshold) {
      const uint64_t first = static_cast<uint64_t>(a.rows.within[token]) * a.width;
      drop8(a.dropout, a.rows.sample[token], a.site, first + column, x);
    }
    if (a.base) {
      float base[8];
      load8(a.base + at, base);
#pragma unroll
      for (int i = 0; i < 8; ++i) x[i] += base[i];
    }
    store8(static_cast<To*>(a.y) + at, x);
  }
}

}  // namespace

void drop_elements(const Drop& a, cudaStream_t stream) {
  for_dtype(a.from, [&](auto* from) {
    for_dtype(a.to, [&](auto* to) {
      using From = std::remove_pointer_t<decltype(from)>;
      using To = std::remove_pointer_t<decltype(to)>;
      drop<From, To><<<row_blocks(a.rows.tokens, a.width / 8), row_threads(a.width / 8), 0, stream>>>(a);
    });
  });
}

}  // namespace rfs
