#pragma once

#include <cuda_runtime.h>

#include "rfs/ops/device_rows.h"
#include "rfs/ops/query_scale_limits.h"

namespace rfs {

/// What an attention rule scales queries by, on a GPU: factors[i, h] = sum_k learned[k][h] terms[k][n_i], n_i the tokens
/// of the row up to query i. Terms are float32 [count, stride], stride above every n.
struct QueryScale {
  DeviceRows rows;
  int heads = 0, count = 0, stride = 0;
  const float* terms = nullptr;
  const float* learned[most_scale_terms] = {};  ///< [heads] each
};

void query_factors(const QueryScale& arguments, float* factors_NH, cudaStream_t stream);
/// gradients[k][h] = sum_i d_factors[i, h] terms[k][n_i], of that element type, in a fixed order.
struct QueryScaleGradient {
  DType dtype = DType::bf16;
  const float* d_factors = nullptr;
  void* gradients[most_scale_terms] = {};
};
void query_factors_backward(const QueryScale& arguments, const QueryScaleGradient& gradient, cudaStream_t stream);

}  // namespace rfs
