// The matrices that the copy engine reads, and when the attention kernels for Hopper can be used.

#include <cudaTypedefs.h>

#include <stdexcept>
#include <string>

#include "rfs/ops/hopper_head.cuh"

namespace rfs {
namespace {

/// The driver's function, or null. It is looked up, because only machines with a GPU have the driver's library.
PFN_cuTensorMapEncodeTiled_v12000 encode_tiled() {
  static const auto found = [] {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult result{};
#if CUDART_VERSION >= 12050
    const auto status =
        cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault, &result);
#else
    const auto status = cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &function, cudaEnableDefault, &result);
#endif
    if (status == cudaSuccess && result == cudaDriverEntryPointSuccess) return function;
    cudaGetLastError();
    return static_cast<void*>(nullptr);
  }();
  return reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(found);
}

bool is_hopper() {
  int device = 0, major = 0, minor = 0;
  return cudaGetDevice(&device) == cudaSuccess &&
         cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) == cudaSuccess &&
         cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device) == cudaSuccess && major == 9 &&
         minor == 0;
}

}  // namespace

CUtensorMap tile_source(const void* data, int64_t tokens, int64_t width) {
  CUtensorMap map{};
  const cuuint64_t sizes[2] = {static_cast<cuuint64_t>(width), static_cast<cuuint64_t>(tokens)};
  const cuuint64_t strides[1] = {static_cast<cuuint64_t>(2 * width)};
  const cuuint32_t tile[2] = {tile_size, tile_size}, steps[2] = {1, 1};
  const CUresult result =
      encode_tiled()(&map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, const_cast<void*>(data), sizes, strides, tile, steps,
                     CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
                     CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS) {
    throw std::runtime_error("the driver refused a matrix for tile copies, error " + std::to_string(result));
  }
  return map;
}

bool hopper_fits(const DeviceAttention& a) {
  return a.dtype == DType::bf16 && (a.width == 64 || a.width == 128) && !a.slopes && !a.bias &&
         a.dropout.threshold == 0 && is_hopper() && encode_tiled();
}

}  // namespace rfs
