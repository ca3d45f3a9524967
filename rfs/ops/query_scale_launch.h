#pragma once

#include <cuda_runtime.h>

#include "rfs/ops/device_rows.h"

namespace rfs {

/// One learned tensor [heads] of what queries are scaled by: gradient[h] = sum_i d_factors[i, h] terms[n_i], n_i the
/// tokens of the row up to query i.
struct ScaleGradient {
  const float *d_factors, *terms;
  void* gradient;
};
/// Of `count` tensors, `tensors` in the GPU's memory; gradients have that element type. The order is fixed.
void scale_gradients(DType dtype, const ScaleGradient* tensors, int count, const DeviceRows& rows, int heads,
                     cudaStream_t stream);

}  // namespace rfs
