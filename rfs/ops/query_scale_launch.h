#pragma once

#include <cuda_runtime.h>

#include "rfs/ops/device_rows.h"

namespace rfs {

/// Gradient of one learned tensor [heads] of the query factors: gradient[h] = sum_i d_factors[i, h] terms[n_i]. n_i is
/// the number of tokens in the row up to and including query i.
struct ScaleGradient {
  const float *d_factors, *terms;
  void* gradient;
};
/// Computes the gradients of `count` tensors in a fixed order. `tensors` is in GPU memory. The gradients have elements
/// of type `dtype`.
void scale_gradients(DType dtype, const ScaleGradient* tensors, int count, const DeviceRows& rows, int heads,
                     cudaStream_t stream);

}  // namespace rfs
