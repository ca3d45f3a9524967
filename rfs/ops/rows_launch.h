#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace rfs {

/// Gathers rows on a GPU: to[r] = from[of[r]] for r < count, or zeros if of[r] < 0. Rows have `bytes` bytes (a multiple
/// of 16) of any type.
void gather_rows(const void* from, const int32_t* of, int count, int bytes, void* to, cudaStream_t stream);

}  // namespace rfs
