#pragma once

#include <cuda_runtime.h>

#include "rfs/ops/device_rows.h"

namespace rfs {

/// Cross entropy on a GPU. Row m of logits has V elements, rows lie `stride` apart. loss[m] = -log soft-max at
/// label[m], and logits become the gradient of the mean loss: (soft-max - one-hot) / *targets. Where label[m] < 0 both
/// are 0. Elements past V become 0. Sums in float32.
void loss_and_gradient(DType dtype, void* logits, const int32_t* labels, const int32_t* targets, int rows,
                       int vocabulary, int stride, float* loss, cudaStream_t stream);

/// best[m]: the place of the largest of row m, the first of equals.
void largest(const float* logits, int rows, int vocabulary, int stride, int32_t* best, cudaStream_t stream);

}  // namespace rfs
