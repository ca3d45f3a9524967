// Tiles of 64 x 64 bf16 in shared memory, and matmuls of them on the tensor cores. The 16-byte pieces of a row are
// swizzled (stored at piece ^ (row % 8)), so that a warp's accesses have no bank conflicts.
//
// A warp computes 16 rows of a result. In registers, [t][0, 1] are row lane / 4, columns 8 t + 2 (lane % 4) and the
// next one; [t][2, 3] are the same columns of row lane / 4 + 8.
#pragma once

#include "rfs/ops/device.cuh"

namespace rfs {

constexpr int tile_size = 64, threads = 128, tile_bytes = tile_size * tile_size * 2;

__device__ __forceinline__ uint32_t tile_offset(int row, int column) {
  return row * 128 + (((column >> 3) ^ (row & 7)) << 4);
}

__device__ __forceinline__ void load_matrices(uint32_t (&r)[4], uint32_t address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(address));
}
__device__ __forceinline__ void load_transposed(uint32_t (&r)[4], uint32_t address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(address));
}
/// c [16 x 8] += a [16 x 16] b [16 x 8]
__device__ __forceinline__ void multiply(float (&c)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

/// acc [16 x 64] += A B^T, with 16 rows of A from r0 on and 16 limit rows of B. Sums over 64 dims.
__device__ __forceinline__ void product_rows(float (&acc)[8][4], uint32_t a_tile, int r0, uint32_t b_tile, int limit) {
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int k = 0; k < tile_size; k += 16) {
    uint32_t a[4];
    load_matrices(a, a_tile + tile_offset(r0 + (lane & 15), k + (lane >> 4) * 8));
#pragma unroll
    for (int pair = 0; pair < 4; ++pair) {
      if (pair >= limit) break;
      uint32_t b[4];
      load_matrices(b, b_tile + tile_offset(16 * pair + (lane & 7) + ((lane >> 4) << 3), k + ((lane >> 3) & 1) * 8));
      multiply(acc[2 * pair], a, b[0], b[1]);
      multiply(acc[2 * pair + 1], a, b[2], b[3]);
    }
  }
}

/// acc [16 x 64] += a [16 x 16] B, with 16 rows of B from k on.
__device__ __forceinline__ void product_columns(float (&acc)[8][4], const uint32_t (&a)[4], uint32_t b_tile, int k) {
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int n = 0; n < 4; ++n) {
    uint32_t b[4];
    load_transposed(b, b_tile + tile_offset(k + (lane & 15), 16 * n + (lane >> 4) * 8));
    multiply(acc[2 * n], a, b[0], b[1]);
    multiply(acc[2 * n + 1], a, b[2], b[3]);
  }
}

/// Converts columns 16 pair .. 16 pair + 15 of a warp's values to the left operand of a matmul.
__device__ __forceinline__ void as_factor(uint32_t (&a)[4], const float (&x)[8][4], int pair) {
  a[0] = packed(x[2 * pair][0], x[2 * pair][1]);
  a[1] = packed(x[2 * pair][2], x[2 * pair][3]);
  a[2] = packed(x[2 * pair + 1][0], x[2 * pair + 1][1]);
  a[3] = packed(x[2 * pair + 1][2], x[2 * pair + 1][3]);
}

__device__ __forceinline__ float quad_sum(float x) {
  x += __shfl_xor_sync(0xffffffff, x, 1);
  return x + __shfl_xor_sync(0xffffffff, x, 2);
}
__device__ __forceinline__ float quad_max(float x) {
  x = fmaxf(x, __shfl_xor_sync(0xffffffff, x, 1));
  return fmaxf(x, __shfl_xor_sync(0xffffffff, x, 2));
}

/// Stores a warp's values as bf16 in rows 16 warp .. 16 warp + 15 of a tile.
__device__ __forceinline__ void put(char* tile, const float (&x)[8][4], int limit) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
  for (int t = 0; t < 8; ++t) {
    if (t >= 2 * limit) break;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const uint32_t at = tile_offset(16 * warp + lane / 4 + 8 * half, 8 * t) + 4 * (lane % 4);
      *reinterpret_cast<uint32_t*>(tile + at) = packed(x[t][2 * half], x[t][2 * half + 1]);
    }
  }
}

/// acc [16 keys of this warp, 64] += A^T B, summed over queries 16 first .. 16 last of the tiles.
__device__ __forceinline__ void product_transposed(float (&acc)[8][4], uint32_t a_tile, uint32_t b_tile, int first,
                                                   int last) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int step = first; step < last; ++step) {
    uint32_t factor[4];
    load_transposed(factor, a_tile + tile_offset(16 * step + (lane & 7) + ((lane >> 4) & 1) * 8,
                                                 16 * warp + ((lane >> 3) & 1) * 8));
    product_columns(acc, factor, b_tile, 16 * step);
  }
}

}  // namespace rfs
