#pragma once

#include <cuda_runtime.h>

#include "rfs/ops/device_rows.h"

namespace rfs {

/// Cross entropy on a GPU. Row m of the logits has V elements; rows are `stride` elements apart. Writes loss[m] = -log
/// softmax at label[m], and overwrites the logits with the gradient of the mean loss: (softmax - one-hot) / *targets.
/// Both are 0 if label[m] < 0. Elements past V become 0. Sums are in float32.
void loss_and_gradient(DType dtype, void* logits, const int32_t* labels, const int32_t* targets, int rows,
                       int vocabulary, int stride, float* loss, cudaStream_t stream);

/// best[m]: index of the largest element of row m; the first one in case of a tie.
void largest(const float* logits, int rows, int vocabulary, int stride, int32_t* best, cudaStream_t stream);

}  // namespace rfs
