#pragma once

#include <cuda_runtime.h>

#include "rfs/ops/device_rows.h"
#include "rfs/ops/feed_forward.h"

namespace rfs {

/// h = drop(act(u)) over [count, F] on a GPU, F a multiple of 8. Row r is of token select[r], or of token r. ReLU may
/// work in place (u == h) and its gradient needs h alone; the others need u, [count, 2 F]
/// of the gated ones: what is activated, then what it is multiplied with.
struct Activation {
  DeviceRows rows;
  DeviceDropout dropout;
  uint32_t site = 0;
  DType dtype = DType::bf16;
  int count = 0, width = 0;  ///< `width` is F
  const int32_t* select = nullptr;
  FeedForward kind = FeedForward::relu;
  void *u = nullptr, *h = nullptr;
};

void activation_forward(const Activation& arguments, cudaStream_t stream);
/// d_u from the gradient of h; they may be the same memory where u is as wide as h.
void activation_backward(const Activation& arguments, const void* d_h, void* d_u, cudaStream_t stream);

}  // namespace rfs
