#pragma once

// Functions of this folder are compiled for the host and, by nvcc, for the device: what both compute is written once.
#ifdef __CUDACC__
#define RFS_BOTH __host__ __device__ __forceinline__
#define RFS_UNROLL _Pragma("unroll")
#else
#define RFS_BOTH inline
#define RFS_UNROLL
#endif
