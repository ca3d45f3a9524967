// Helpers that the kernels share: loads and stores of eight neighbouring elements, copies into shared memory, warp
// reductions, dropout.
#pragma once

#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include "rfs/arithmetic/dropout.h"
#include "rfs/ops/device_rows.h"

namespace rfs {

using bf16 = __nv_bfloat16;

__device__ __forceinline__ float to_float(float x) {
  return x;
}
__device__ __forceinline__ float to_float(bf16 x) {
  return __bfloat162float(x);
}
template <class T>
__device__ __forceinline__ T from_float(float x);
template <>
__device__ __forceinline__ float from_float<float>(float x) {
  return x;
}
template <>
__device__ __forceinline__ bf16 from_float<bf16>(float x) {
  return __float2bfloat16_rn(x);
}

__device__ __forceinline__ float2 unpack(uint32_t pair) {
  return __bfloat1622float2(*reinterpret_cast<const __nv_bfloat162*>(&pair));
}
__device__ __forceinline__ uint32_t packed(float low, float high) {
  const __nv_bfloat162 pair = __floats2bfloat162_rn(low, high);
  return *reinterpret_cast<const uint32_t*>(&pair);
}

__device__ __forceinline__ void load8(const float* from, float (&x)[8]) {
  const float4 a = reinterpret_cast<const float4*>(from)[0], b = reinterpret_cast<const float4*>(from)[1];
  x[0] = a.x, x[1] = a.y, x[2] = a.z, x[3] = a.w, x[4] = b.x, x[5] = b.y, x[6] = b.z, x[7] = b.w;
}
__device__ __forceinline__ void load8(const bf16* from, float (&x)[8]) {
  const uint4 words = *reinterpret_cast<const uint4*>(from);
  const float2 a = unpack(words.x), b = unpack(words.y), c = unpack(words.z), d = unpack(words.w);
  x[0] = a.x, x[1] = a.y, x[2] = b.x, x[3] = b.y, x[4] = c.x, x[5] = c.y, x[6] = d.x, x[7] = d.y;
}
__device__ __forceinline__ void store8(float* to, const float (&x)[8]) {
  reinterpret_cast<float4*>(to)[0] = make_float4(x[0], x[1], x[2], x[3]);
  reinterpret_cast<float4*>(to)[1] = make_float4(x[4], x[5], x[6], x[7]);
}
__device__ __forceinline__ void store8(bf16* to, const float (&x)[8]) {
  *reinterpret_cast<uint4*>(to) =
      make_uint4(packed(x[0], x[1]), packed(x[2], x[3]), packed(x[4], x[5]), packed(x[6], x[7]));
}

__device__ __forceinline__ uint32_t shared_address(const void* pointer) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}
/// Starts a copy of 16 bytes into shared memory. Copies zeros if `there` is false.
__device__ __forceinline__ void copy_async(uint32_t to, const void* from, bool there) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(there ? 16 : 0));
}
/// Waits until all copies of the block are complete.
__device__ __forceinline__ void wait_for_copies() {
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
}

__device__ __forceinline__ float warp_sum(float x) {
#pragma unroll
  for (int step = 16; step > 0; step /= 2) x += __shfl_xor_sync(0xffffffff, x, step);
  return x;
}
__device__ __forceinline__ float warp_max(float x) {
#pragma unroll
  for (int step = 16; step > 0; step /= 2) x = fmaxf(x, __shfl_xor_sync(0xffffffff, x, step));
  return x;
}

/// The random words of elements 8 * block .. 8 * block + 7, 16 bits each.
__device__ __forceinline__ uint4 dropout_words(const DeviceDropout& dropout, uint64_t sample, uint32_t site,
                                               uint64_t block) {
  const Words4 words = dropout_bits(dropout.key, sample, site, block);
  return make_uint4(words.x, words.y, words.z, words.w);
}

/// Dropout factors of two elements, from the low and the high half of a random word.
__device__ __forceinline__ float2 dropout_pair(const DeviceDropout& dropout, uint32_t word) {
  return make_float2((word & 0xffff) < dropout.threshold ? 0.f : dropout.scale,
                     (word >> 16) < dropout.threshold ? 0.f : dropout.scale);
}

/// Applies dropout by mask: elements whose bit is 0 become 0, and the others are scaled.
__device__ __forceinline__ void keep8(const DeviceDropout& dropout, uint32_t bits, float (&x)[8]) {
#pragma unroll
  for (int i = 0; i < 8; ++i) x[i] = bits >> i & 1 ? x[i] * dropout.scale : 0;
}

/// Applies dropout to x. `index` (a multiple of 8) is that of the first element within its row. Returns a bit for each
/// element that was kept.
__device__ __forceinline__ uint32_t drop8(const DeviceDropout& dropout, uint64_t sample, uint32_t site, uint64_t index,
                                          float (&x)[8]) {
  if (dropout.threshold == 0) return 0xff;
  const uint4 random = dropout_words(dropout, sample, site, index / 8);
  const uint32_t words[4] = {random.x, random.y, random.z, random.w};
  uint32_t bits = 0;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    bits |= ((words[k] & 0xffff) >= dropout.threshold ? 1u : 0u) << (2 * k);
    bits |= ((words[k] >> 16) >= dropout.threshold ? 2u : 0u) << (2 * k);
  }
  keep8(dropout, bits, x);
  return bits;
}

/// Launch dimensions for kernels that process rows of `pieces` pieces. threadIdx.x runs along a row, in several rounds
/// if it is long. threadIdx.y runs over several rows if they are short.
constexpr int most_row_threads = 512;
inline dim3 row_threads(int pieces) {
  const int along = pieces < most_row_threads ? pieces : most_row_threads;
  return dim3(along, along < 256 ? 256 / along : 1);
}
inline int row_blocks(int rows, int pieces) {
  const int each = static_cast<int>(row_threads(pieces).y);
  return (rows + each - 1) / each;
}

/// Allows a kernel the maximum dynamic shared memory of a block. Returns true if `bytes` bytes fit. The limit is set
/// per process, so it must not depend on the caller's `bytes`.
template <class Kernel>
bool fits_shared(Kernel* kernel, size_t bytes) {
  int device = 0, most = 0;
  cudaFuncAttributes attributes{};
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) != cudaSuccess ||
      cudaFuncGetAttributes(&attributes, kernel) != cudaSuccess) {
    return false;
  }
  const int room = most - static_cast<int>(attributes.sharedSizeBytes);
  if (static_cast<int64_t>(bytes) > room) return false;
  if (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, room) == cudaSuccess) return true;
  cudaGetLastError();  // clear the error; the caller uses another kernel
  return false;
}

/// Calls `body` with a null pointer of the element type.
template <class Body>
void for_dtype(DType dtype, Body body) {
  if (dtype == DType::bf16) {
    body(static_cast<bf16*>(nullptr));
  } else {
    body(static_cast<float*>(nullptr));
  }
}

}  // namespace rfs
