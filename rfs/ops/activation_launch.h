#pragma once

#include <cuda_runtime.h>

#include "rfs/ops/device_rows.h"

namespace rfs {

/// h = drop(act(u)) over [count, F] on a GPU, F a multiple of 8. Row r is of token select[r], or of token r. ReLU works
/// in place (u == h) and its gradient needs h alone; GELU (tanh form) needs u.
struct Activation {
  DeviceRows rows;
  DeviceDropout dropout;
  uint32_t site = 0;
  DType dtype = DType::bf16;
  int count = 0, width = 0;
  const int32_t* select = nullptr;
  bool gelu = false;
  void *u = nullptr, *h = nullptr;
};

void activation_forward(const Activation& arguments, cudaStream_t stream);
/// d: the gradient of h, made that of u in place.
void activation_backward(const Activation& arguments, void* d, cudaStream_t stream);

}  // namespace rfs
