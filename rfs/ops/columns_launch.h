#pragma once

#include <cuda_runtime.h>

#include "rfs/ops/device_rows.h"

namespace rfs {

/// Parts of a matrix's rows, each added up by itself.
constexpr int column_parts = 96;

/// partial [column_parts, columns], float32: sums of the columns of x [rows, columns] over each part of its rows. The
/// order is fixed. `columns` is a multiple of 8.
void column_sums(DType dtype, const void* x, int rows, int columns, float* partial, cudaStream_t stream);

}  // namespace rfs
