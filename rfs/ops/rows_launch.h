#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace rfs {

/// to[r] = from[of[r]] for r < count, zeros where of[r] < 0: rows of `bytes` (a multiple of 16) on a GPU, whatever they
/// are made of.
void gather_rows(const void* from, const int32_t* of, int count, int bytes, void* to, cudaStream_t stream);

}  // namespace rfs
