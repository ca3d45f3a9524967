// What the attention kernels for Hopper share: a row and head, its tiles in shared memory, and results on their way
// out.
//
// A block has `Groups` groups of four warps. Each group owns 64 queries (or keys, for their gradients) and walks over
// blocks of 64 keys (or queries). The walked tiles arrive through a ring of stages. Thread 0 starts the copies.
#pragma once

#include "rfs/ops/hopper.cuh"
#include "rfs/ops/hopper_attention.h"

namespace rfs {

constexpr float log2_e = 1.4426950408889634f;

constexpr int most_shared = 227 * 1024;  ///< bytes of shared memory that a block can have on Hopper

/// 2^x; results below 2^-126 are 0.
__device__ __forceinline__ float power_of_two(float x) {
  asm("ex2.approx.ftz.f32 %0, %0;" : "+f"(x));
  return x;
}

/// The row, and the thread's place in the block.
struct HopperRow {
  int row, begin, n, group, warp, lane;

  __device__ HopperRow(const DeviceAttention& a, int row)
      : row(row),
        begin(a.rows.offsets[row]),
        n(a.rows.offsets[row + 1] - begin),
        group(threadIdx.x / group_threads),
        warp(threadIdx.x / 32 % 4),
        lane(threadIdx.x % 32) {}

  /// The thread's two rows within a group's tile are line(0) and line(1); its columns are 8 t + column(), and the next.
  __device__ int line(int half) const { return 16 * warp + lane / 4 + 8 * half; }
  __device__ int column() const { return 2 * (lane % 4); }
};

/// A ring of stages that each hold `Tiles` tiles, with a barrier that says when a stage is full and one for empty.
template <int Stages, int Tiles>
struct Ring {
  static constexpr int stage_bytes = Tiles * tile_bytes, bytes = Stages * stage_bytes, barriers = 2 * Stages;
  uint32_t tiles, barrier;

  __device__ uint32_t stage(int b) const { return tiles + b % Stages * stage_bytes; }
  __device__ uint32_t full(int b) const { return barrier + b % Stages * 8; }
  __device__ uint32_t empty(int b) const { return barrier + (Stages + b % Stages) * 8; }
  __device__ void init(int warps) const {
    for (int s = 0; s < Stages; ++s) {
      barrier_init(full(s), 1);
      barrier_init(empty(s), warps);
    }
  }
  /// Fills the ring with blocks 0, 1, ... of `blocks`; fill(b, stage, barrier) starts the copies.
  template <class Fill>
  __device__ void begin(int blocks, Fill fill) const {
    for (int b = 0; b < min(Stages, blocks); ++b) start(b, fill);
  }
  /// Refills the stage of block b - 2, which all groups have left or are about to leave.
  template <class Fill>
  __device__ void refill(int b, int blocks, Fill fill) const {
    if (b < 2 || b - 2 + Stages >= blocks) return;
    barrier_wait(empty(b - 2), (b - 2) / Stages);
    start(b - 2 + Stages, fill);
  }
  __device__ void wait(int b) const { barrier_wait(full(b), b / Stages); }
  /// The calling warp does not read block b any more.
  __device__ void leave(int b) const {
    __syncwarp();  // all threads have seen the block arrive before its stage may be filled again
    if (threadIdx.x % 32 == 0) barrier_arrive(empty(b));
  }

 private:
  template <class Fill>
  __device__ void start(int b, Fill fill) const {
    barrier_expect(full(b), stage_bytes);
    fill(b, stage(b), full(b));
  }
};

/// Starts to copy 64 tokens from `token` on, dims `column` .. `column` + Width - 1, into Width / 64 tiles.
template <int Width>
__device__ __forceinline__ void copy_tokens(uint32_t tile, const CUtensorMap* matrix, int column, int token,
                                            uint32_t barrier) {
#pragma unroll
  for (int part = 0; part < Width / 64; ++part) {
    copy_tile(tile + part * tile_bytes, matrix, column + 64 * part, token, barrier);
  }
}

/// True if some of 64 queries from i0 on do not see some of 64 keys from j0 on.
__device__ __forceinline__ bool is_masked(const DeviceAttention& a, int i0, int j0) {
  return j0 + 63 > i0 || (a.window > 0 && j0 <= i0 + 63 - a.window);
}
__device__ __forceinline__ bool sees(const DeviceAttention& a, int i, int j) {
  return j <= i && (a.window == 0 || j > i - a.window);
}

/// The blocks of 64 keys that `queries` queries from q0 on need, from their own back to the first. A group with queries
/// sees blocks begin .. end - 1.
struct KeyWalk {
  int last, blocks, i0, begin, end;
  bool any;  ///< the group has queries

  __device__ KeyWalk(const DeviceAttention& a, const HopperRow& r, int q0, int queries) {
    const auto first_seen = [&](int i) { return a.window > 0 ? max(0, i - a.window + 1) / 64 : 0; };
    last = (min(q0 + queries, r.n) - 1) / 64;
    blocks = last - first_seen(q0) + 1;
    i0 = q0 + 64 * r.group;
    any = i0 < r.n;
    begin = any ? last - i0 / 64 : blocks;
    end = last - first_seen(i0) + 1;
  }
  __device__ int first_key(int b) const { return 64 * (last - b); }
};

/// The keys and values of a walk, which arrive through a ring: in each stage first the keys, then the values.
template <int Width, int Stages>
struct WalkedKeys {
  using Stage = Ring<Stages, 2 * Width / 64>;
  const DeviceAttention& a;
  const HopperRow& r;
  const KeyWalk& walk;
  const Stage& ring;
  const CUtensorMap* qkv;
  int kv_head;

  __device__ void operator()(int b, uint32_t stage, uint32_t barrier) const {
    const int token = r.begin + walk.first_key(b), column = (a.heads + kv_head) * Width;
    copy_tokens<Width>(stage, qkv, column, token, barrier);
    copy_tokens<Width>(stage + Width / 64 * tile_bytes, qkv, column + a.kv_heads * Width, token, barrier);
  }
  __device__ void start() const { ring.begin(walk.blocks, *this); }
  /// Waits for block b, after a refill of the ring by the first thread.
  __device__ void arrive(int b) const {
    if (threadIdx.x == 0) ring.refill(b, walk.blocks, *this);
    __syncwarp();
    ring.wait(b);
  }
  /// Passes over blocks that the group does not see.
  __device__ void skip(int from, int to) const {
    for (int b = from; b < to; ++b) {
      arrive(b);
      ring.leave(b);
    }
  }
};

/// The first 1,024-byte boundary of the dynamic shared memory, which tiles need.
__device__ __forceinline__ char* aligned_memory(char* memory) {
  return memory + (1024 - shared_address(memory) % 1024) % 1024;
}

/// Converts a group's values to left operands: [k] has columns 16 k .. 16 k + 15.
__device__ __forceinline__ void as_factors(uint32_t (&a)[4][4], const float (&x)[8][4]) {
#pragma unroll
  for (int k = 0; k < 4; ++k) as_factor(a[k], x, k);
}

/// Undoes the rotation of the thread's values of dims 64 part .. 64 part + 63 of two tokens, `first` and first + 8.
__device__ __forceinline__ void rotate_values_back(const DeviceRows& rows, float (&x)[8][4], int part, int first,
                                                   int end) {
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const int token = first + 8 * half;
    if (token >= end) continue;
#pragma unroll
    for (int t = 0; t < 8; ++t) {
      const int pair = 32 * part + 4 * t + threadIdx.x % 4;
      if (pair >= rows.pairs) continue;
      const int64_t at = static_cast<int64_t>(token) * rows.pairs + pair;
      const float cosine = rows.cos[at], sine = rows.sin[at], low = x[t][2 * half], high = x[t][2 * half + 1];
      x[t][2 * half] = low * cosine + high * sine;
      x[t][2 * half + 1] = high * cosine - low * sine;
    }
  }
}

/// Writes a warp's values of 16 tokens as bf16 through its 16 rows of a tile, so that whole lines are written. `to`
/// points at the first token's 64 dims, `count` says how many of the tokens exist.
__device__ __forceinline__ void store_values(char* tile, const float (&x)[8][4], const HopperRow& r, bf16* to,
                                             int64_t stride, int count) {
  __syncwarp();
#pragma unroll
  for (int t = 0; t < 8; ++t) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      *reinterpret_cast<uint32_t*>(tile + tile_offset(r.line(half), 8 * t) + 2 * r.column()) =
          packed(x[t][2 * half], x[t][2 * half + 1]);
    }
  }
  __syncwarp();
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const int line = 4 * i + r.lane / 8, piece = r.lane % 8;
    if (line >= count) continue;
    *reinterpret_cast<uint4*>(to + line * stride + 8 * piece) =
        *reinterpret_cast<const uint4*>(tile + tile_offset(16 * r.warp + line, 8 * piece));
  }
}

/// A matrix of bf16 [tokens, width] for copies of tiles. Throws if the driver refuses it.
CUtensorMap tile_source(const void* data, int64_t tokens, int64_t width);

}  // namespace rfs
