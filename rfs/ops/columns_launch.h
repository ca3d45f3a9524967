#pragma once

#include <cuda_runtime.h>

#include "rfs/ops/device_rows.h"

namespace rfs {

/// The rows of a matrix are split into this many parts, which are summed separately.
constexpr int column_parts = 96;

/// partial [column_parts, columns], float32: column sums of x [rows, columns] over each part of its rows, in a fixed
/// order. `columns` is a multiple of 8.
void column_sums(DType dtype, const void* x, int rows, int columns, float* partial, cudaStream_t stream);

}  // namespace rfs
