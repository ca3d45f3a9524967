#pragma once

#include <cuda_runtime.h>

#include "rfs/ops/device_rows.h"
#include "rfs/ops/feed_forward.h"

namespace rfs {

/// GPU kernel for h = drop(act(u)) over [count, F]. F is a multiple of 8. Row r belongs to token select[r], or to token
/// r without `select`.
/// ReLU may work in place (u == h), and its gradient needs only h. All other kinds need u. For the gated kinds u is
/// [count, 2 F]: first what is activated, then its multiplier.
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
/// Computes d_u from d_h. Both may be the same memory if u is as wide as h.
void activation_backward(const Activation& arguments, const void* d_h, void* d_u, cudaStream_t stream);

}  // namespace rfs
