#pragma once

// The functions in this folder compile for the host and, with nvcc, for the device, so both run the same code.
#ifdef __CUDACC__
#define RFS_BOTH __host__ __device__ __forceinline__
#define RFS_UNROLL _Pragma("unroll")
#else
#define RFS_BOTH inline
#define RFS_UNROLL
#endif
