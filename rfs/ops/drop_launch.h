#pragma once

#include <cuda_runtime.h>

#include "rfs/ops/device_rows.h"

namespace rfs {

/// Dropout of packed tokens on a GPU: y = base + drop(x) over [N, D]. D is a multiple of 8. x has the type `from`. With
/// `base`, both `base` and y are float32; without it, y has the type `to`. Elements are numbered as in dropout.h.
struct Drop {
  DeviceRows rows;
  DeviceDropout dropout;
  uint32_t site = 0;
  DType from = DType::bf16, to = DType::fp32;
  int width = 0;
  const void* x = nullptr;
  const float* base = nullptr;
  void* y = nullptr;
};
void drop_elements(const Drop& arguments, cudaStream_t stream);

}  // namespace rfs
