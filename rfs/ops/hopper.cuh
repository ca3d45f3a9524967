// Instructions that only Hopper GPUs (compute capability 9.0) have: copies of tiles by the copy engine, barriers that
// count the copied bytes, and matmuls by four warps (wgmma).
//
// Tiles are those of tiles.cuh: 64 rows of 64 bf16, swizzled. The copy engine swizzles in the same way. A matrix that
// is 128 wide is two tiles, one after the other.
#pragma once

#include <cuda.h>

#include "rfs/ops/tiles.cuh"

namespace rfs {

constexpr int group_threads = 128;  ///< threads that do a matmul together: four warps

// ---- barriers in shared memory

__device__ __forceinline__ void barrier_init(uint32_t barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}
/// Makes initialised barriers visible to the copy engine.
__device__ __forceinline__ void publish_barriers() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  __syncthreads();
}
__device__ __forceinline__ void barrier_arrive(uint32_t barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}
/// Arrives, and lets the barrier also wait for `bytes` copied bytes.
__device__ __forceinline__ void barrier_expect(uint32_t barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}
/// Waits until the barrier's use number `use` (from 0 on) is complete.
__device__ __forceinline__ void barrier_wait(uint32_t barrier, int use) {
  uint32_t done = 0;
  while (!done) {
    asm volatile(
        "{\n.reg .pred p;\n"
        "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
        "selp.u32 %0, 1, 0, p;\n}\n"
        : "=r"(done)
        : "r"(barrier), "r"(use & 1)
        : "memory");
  }
}
/// Waits for the other threads of a group. Each group needs its own number from 1 on.
__device__ __forceinline__ void group_wait(int number) {
  asm volatile("bar.sync %0, %1;" ::"r"(number), "n"(group_threads) : "memory");
}

// ---- copies

/// Starts to copy rows `row` .. `row` + 63 and columns `column` .. `column` + 63 of a matrix into a tile. Rows past the
/// end of the matrix are zeros.
__device__ __forceinline__ void copy_tile(uint32_t tile, const CUtensorMap* matrix, int column, int row,
                                          uint32_t barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
          tile),
      "l"(matrix), "r"(column), "r"(row), "r"(barrier)
      : "memory");
}

// ---- matmuls

/// Describes a tile to wgmma.
__device__ __forceinline__ uint64_t described(uint32_t tile) {
  constexpr uint64_t eight_rows = 8 * 128, swizzle_128_bytes = 1;
  return (tile & 0x3ffff) >> 4 | uint64_t{1} << 16 | (eight_rows >> 4) << 32 | swizzle_128_bytes << 62;
}
/// What to add to a description for columns 16 k .. 16 k + 15; from 4 on, they are in the next tile.
__device__ __forceinline__ uint64_t columns_from(int k) {
  return (k / 4 * tile_bytes + k % 4 * 32) >> 4;
}
/// What to add to a description for rows 16 k .. 16 k + 15 of tile number `tile`.
__device__ __forceinline__ uint64_t rows_from(int k, int tile) {
  return (tile * tile_bytes + k * 16 * 128) >> 4;
}

/// Registers that a matmul reads or writes must not be used between its start and wait. group_begin orders them before
/// it; after group_wait_for, `keep_after_wait` keeps the compiler from using results early.
__device__ __forceinline__ void group_begin() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
__device__ __forceinline__ void group_commit() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
/// Waits until at most `Left` committed groups of matmuls are unfinished.
template <int Left>
__device__ __forceinline__ void group_wait_for() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(Left) : "memory");
}
__device__ __forceinline__ void keep_after_wait(float (&x)[8][4]) {
#pragma unroll
  for (int t = 0; t < 8; ++t) {
    asm volatile("" : "+f"(x[t][0]), "+f"(x[t][1]), "+f"(x[t][2]), "+f"(x[t][3])::"memory");
  }
}

#define RFS_SUM(d, t) "+f"(d[t][0]), "+f"(d[t][1]), "+f"(d[t][2]), "+f"(d[t][3])
#define RFS_SUMS(d) \
  RFS_SUM(d, 0), RFS_SUM(d, 1), RFS_SUM(d, 2), RFS_SUM(d, 3), RFS_SUM(d, 4), RFS_SUM(d, 5), RFS_SUM(d, 6), RFS_SUM(d, 7)
#define RFS_WGMMA                                            \
  "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 "    \
  "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,"  \
  "%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29," \
  "%30,%31}, "

/// d [64 x 64] = or += A B^T, with 16 columns of the tiles a and b.
__device__ __forceinline__ void group_multiply(float (&d)[8][4], uint64_t a, uint64_t b, int add) {
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %34, 0;\n" RFS_WGMMA "%32, %33, p, 1, 1, 0, 0;\n}\n"
               : RFS_SUMS(d)
               : "l"(a), "l"(b), "r"(add));
}
/// d [64 x 64] = or += A B^T, with 16 columns of A in registers and of tile b.
__device__ __forceinline__ void group_multiply(float (&d)[8][4], const uint32_t (&a)[4], uint64_t b, int add) {
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %37, 0;\n" RFS_WGMMA "{%32,%33,%34,%35}, %36, p, 1, 1, 0;\n}\n"
               : RFS_SUMS(d)
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add));
}
/// d [64 x 64] += A B, with 16 columns of A in registers and 16 rows of tile b.
__device__ __forceinline__ void group_multiply_rows(float (&d)[8][4], const uint32_t (&a)[4], uint64_t b) {
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, 1, 0;\n" RFS_WGMMA "{%32,%33,%34,%35}, %36, p, 1, 1, 1;\n}\n"
               : RFS_SUMS(d)
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
}
#undef RFS_WGMMA
#undef RFS_SUMS
#undef RFS_SUM

}  // namespace rfs
