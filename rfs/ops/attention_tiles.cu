// Attention on the matrix units, for bf16 and heads of 64 dims. A block of four warps has 64 queries (or, for the
// gradients of keys and values, 64 keys) of one row and head; a warp has 16 of them. Tiles of 64 x 64 lie in shared
// memory, each 16-byte piece of a row at piece ^ (row % 8), so that no access of a warp meets a bank twice.
//
// A warp's 16 x 64 numbers in registers: [t][0, 1] are row lane / 4, columns 8 t + 2 (lane % 4) and the next;
// [t][2, 3] the same columns of row lane / 4 + 8.

#include <algorithm>

#include "rfs/ops/attention_launch.h"
#include "rfs/ops/device.cuh"

namespace rfs {
namespace {

constexpr int side = 64, threads = 128, tile_bytes = side * side * 2;

__device__ __forceinline__ uint32_t place(int row, int column) {
  return row * 128 + (((column >> 3) ^ (row & 7)) << 4);
}

__device__ __forceinline__ uint32_t shared_address(const void* pointer) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
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

/// acc [16 x 64] += A [16 rows from r0] B^T, `limit` times 16 rows of B; 64 dims are summed over.
__device__ __forceinline__ void product_rows(float (&acc)[8][4], uint32_t a_tile, int r0, uint32_t b_tile, int limit) {
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int k = 0; k < side; k += 16) {
    uint32_t a[4];
    load_matrices(a, a_tile + place(r0 + (lane & 15), k + (lane >> 4) * 8));
#pragma unroll
    for (int pair = 0; pair < 4; ++pair) {
      if (pair >= limit) break;
      uint32_t b[4];
      load_matrices(b, b_tile + place(16 * pair + (lane & 7) + ((lane >> 4) << 3), k + ((lane >> 3) & 1) * 8));
      multiply(acc[2 * pair], a, b[0], b[1]);
      multiply(acc[2 * pair + 1], a, b[2], b[3]);
    }
  }
}

/// acc [16 x 64] += a [16 x 16] times 16 rows from k of B.
__device__ __forceinline__ void product_columns(float (&acc)[8][4], const uint32_t (&a)[4], uint32_t b_tile, int k) {
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int n = 0; n < 4; ++n) {
    uint32_t b[4];
    load_transposed(b, b_tile + place(k + (lane & 15), 16 * n + (lane >> 4) * 8));
    multiply(acc[2 * n], a, b[0], b[1]);
    multiply(acc[2 * n + 1], a, b[2], b[3]);
  }
}

/// Columns 16 pair .. + 15 of a warp's numbers as the left factor of a product.
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

/// One row and head.
struct Head {
  const DeviceAttention& a;
  int row, head, begin, n, lane, warp;
  float slope;

  __device__ Head(const DeviceAttention& arguments)
      : a(arguments),
        row(blockIdx.x / arguments.heads),
        head(blockIdx.x % arguments.heads),
        begin(arguments.rows.offsets[row]),
        n(arguments.rows.offsets[row + 1] - begin),
        lane(threadIdx.x % 32),
        warp(threadIdx.x / 32),
        slope(arguments.slopes ? arguments.slopes[head] : 0) {}

  __device__ int64_t qkv_at(int token, int part) const {
    return (static_cast<int64_t>(begin + token) * 3 + part) * a.heads * side + head * side;
  }
  __device__ int64_t out_at(int token) const {
    return static_cast<int64_t>(begin + token) * a.heads * side + head * side;
  }

  /// Tokens first .. of a [N, stride] array into a tile, turned where `turn`; zero past the row, up to a multiple
  /// of 16.
  __device__ void load(char* tile, const bf16* from, int64_t stride, int first, bool turn) const {
    const int count = min(side, n - first), pairs = turn ? a.rows.pairs : 0;
    for (int unit = threadIdx.x; unit < (count + 15) / 16 * 16 * 8; unit += threads) {
      const int r = unit >> 3, piece = unit & 7;
      uint4 words = make_uint4(0, 0, 0, 0);
      if (r < count) {
        words = *reinterpret_cast<const uint4*>(from + r * stride + piece * 8);
        if (4 * piece < pairs) {
          const int64_t at = static_cast<int64_t>(begin + first + r) * pairs + 4 * piece;
          uint32_t* word = &words.x;
#pragma unroll
          for (int k = 0; k < 4; ++k) {
            if (4 * piece + k >= pairs) break;
            const float2 x = unpack(word[k]);
            const float cosine = a.rows.cos[at + k], sine = a.rows.sin[at + k];
            word[k] = packed(x.x * cosine - x.y * sine, x.x * sine + x.y * cosine);
          }
        }
      }
      *reinterpret_cast<uint4*>(tile + place(r, 8 * piece)) = words;
    }
  }
  __device__ void load_part(char* tile, int part, int first) const {
    load(tile, static_cast<const bf16*>(a.qkv) + qkv_at(first, part), 3 * a.heads * side, first, part < 2);
  }

  /// A warp's numbers as gradients of `part` of tokens first .., turned back.
  __device__ void store(bf16* d_qkv, const float (&x)[8][4], int first, int part, float factor) const {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int token = first + lane / 4 + 8 * half;
      if (token >= n) continue;
      bf16* to = d_qkv + qkv_at(token, part) + 2 * (lane % 4);
#pragma unroll
      for (int t = 0; t < 8; ++t) {
        float low = factor * x[t][2 * half], high = factor * x[t][2 * half + 1];
        const int pair = 4 * t + lane % 4;
        if (part < 2 && pair < a.rows.pairs) {
          const int64_t at = static_cast<int64_t>(begin + token) * a.rows.pairs + pair;
          const float cosine = a.rows.cos[at], sine = a.rows.sin[at], turned = low * cosine + high * sine;
          high = high * cosine - low * sine;
          low = turned;
        }
        *reinterpret_cast<uint32_t*>(to + 8 * t) = packed(low, high);
      }
    }
  }

  /// Scale, slopes and the causal mask on scores of queries i0 .. (16) and keys j0 .. (16 limit).
  __device__ void finish_scores(float (&s)[8][4], int i0, int j0, int limit) const {
    const float* p = a.rows.positions + begin;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int i = i0 + lane / 4 + 8 * half;
      const float mine = slope != 0 && i < n ? p[i] : 0;
#pragma unroll
      for (int t = 0; t < 8; ++t) {
        if (t >= 2 * limit) break;
#pragma unroll
        for (int e = 0; e < 2; ++e) {
          const int j = j0 + 8 * t + 2 * (lane % 4) + e;
          float& x = s[t][2 * half + e];
          x *= a.scale;
          if (slope != 0 && j < n) x -= slope * (mine - p[j]);
          if (j > i) x = -INFINITY;
        }
      }
    }
  }

  /// The random words of keys j0 + 32 part .. of query i that this thread holds: word t % 4 is for keys 8 t + 2 (lane %
  /// 4) and the next.
  __device__ uint4 words(int i, int j0, int part) const {
    const uint64_t parts = (static_cast<uint64_t>(n) + 31) / 32;
    const uint64_t block = ((static_cast<uint64_t>(head) * n + i) * parts + j0 / 32 + part) * 4 + lane % 4;
    return dropout_words(a.dropout, a.rows.samples[row], a.site, block);
  }
  __device__ float2 factors(const uint4& words, int t) const {
    return dropout_pair(a.dropout, t % 4 == 0 ? words.x : t % 4 == 1 ? words.y : t % 4 == 2 ? words.z : words.w);
  }

  /// How many 16s of keys j0 .. the 16 queries i0 .. see.
  __device__ int seen(int i0, int j0) const {
    const int keys = min(side, n - j0);
    return max(0, min((keys + 15) / 16, (i0 + 15 - j0) / 16 + 1));
  }

  /// From scores s and the gradients d of dropped weights: s becomes the dropped weights, d the gradients of scores.
  /// All 0 where a query lies past the row.
  __device__ void slopes_of_scores(float (&s)[8][4], float (&d)[8][4], const bf16* d_out, int i0, int j0,
                                   int limit) const {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int i = i0 + lane / 4 + 8 * half;
      float inner = 0, log_sum = INFINITY;
      if (i < n) {
        log_sum = a.log_sum[static_cast<int64_t>(begin + i) * a.heads + head];
        const bf16 *o = static_cast<const bf16*>(a.out) + out_at(i) + 16 * (lane % 4),
                   *g = d_out + out_at(i) + 16 * (lane % 4);
#pragma unroll
        for (int piece = 0; piece < 2; ++piece) {
          float x[8], y[8];
          load8(o + 8 * piece, x);
          load8(g + 8 * piece, y);
#pragma unroll
          for (int k = 0; k < 8; ++k) inner += x[k] * y[k];
        }
      }
      inner = quad_sum(inner);
      uint4 random;
#pragma unroll
      for (int t = 0; t < 8; ++t) {
        if (t >= 2 * limit) break;
        float2 kept = make_float2(1, 1);
        if (a.dropout.threshold) {
          if (t % 4 == 0) random = words(i, j0, t / 4);
          kept = factors(random, t);
        }
#pragma unroll
        for (int e = 0; e < 2; ++e) {
          float &x = s[t][2 * half + e], &y = d[t][2 * half + e];
          const float weight = __expf(x - log_sum), factor = e ? kept.y : kept.x;
          y = weight * (y * factor - inner);
          x = weight * factor;
        }
      }
    }
  }
};

__global__ void __launch_bounds__(threads) forward(const DeviceAttention a) {
  __shared__ __align__(128) char memory[3 * tile_bytes];
  const Head h(a);
  const int q0 = side * (gridDim.y - 1 - blockIdx.y);  // the longest rows of blocks first
  if (q0 >= h.n) return;
  char *q_tile = memory, *k_tile = memory + tile_bytes, *v_tile = memory + 2 * tile_bytes;
  const uint32_t q = shared_address(q_tile), k = shared_address(k_tile), v = shared_address(v_tile);
  const int i0 = q0 + 16 * h.warp;
  h.load_part(q_tile, 0, q0);
  float out[8][4] = {}, most[2] = {-INFINITY, -INFINITY}, total[2] = {0, 0};
  for (int j0 = 0; j0 <= q0; j0 += side) {
    if (j0) __syncthreads();
    h.load_part(k_tile, 1, j0);
    h.load_part(v_tile, 2, j0);
    __syncthreads();
    if (i0 >= h.n) continue;
    const int limit = h.seen(i0, j0);
    float s[8][4] = {};
    product_rows(s, q, 16 * h.warp, k, limit);
    h.finish_scores(s, i0, j0, limit);
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int i = i0 + h.lane / 4 + 8 * half;
      float higher = most[half];
#pragma unroll
      for (int t = 0; t < 8; ++t) {
        if (t < 2 * limit) higher = fmaxf(higher, fmaxf(s[t][2 * half], s[t][2 * half + 1]));
      }
      higher = quad_max(higher);
      const float shrink = __expf(most[half] - higher);
      most[half] = higher;
      total[half] *= shrink;
      uint4 random;
#pragma unroll
      for (int t = 0; t < 8; ++t) {
        out[t][2 * half] *= shrink;
        out[t][2 * half + 1] *= shrink;
        if (t >= 2 * limit) continue;
        float &x = s[t][2 * half], &y = s[t][2 * half + 1];
        x = __expf(x - higher);
        y = __expf(y - higher);
        total[half] += x + y;
        if (a.dropout.threshold) {
          if (t % 4 == 0) random = h.words(i, j0, t / 4);
          const float2 kept = h.factors(random, t);
          x *= kept.x;
          y *= kept.y;
        }
      }
    }
#pragma unroll
    for (int pair = 0; pair < 4; ++pair) {
      if (pair >= limit) break;
      uint32_t weights[4];
      as_factor(weights, s, pair);
      product_columns(out, weights, v, 16 * pair);
    }
  }
  if (i0 >= h.n) return;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const int i = i0 + h.lane / 4 + 8 * half;
    const float sum = quad_sum(total[half]);
    if (i >= h.n) continue;
    bf16* to = static_cast<bf16*>(a.out) + h.out_at(i) + 2 * (h.lane % 4);
#pragma unroll
    for (int t = 0; t < 8; ++t) {
      *reinterpret_cast<uint32_t*>(to + 8 * t) = packed(out[t][2 * half] / sum, out[t][2 * half + 1] / sum);
    }
    if (h.lane % 4 == 0) {
      a.log_sum[static_cast<int64_t>(h.begin + i) * a.heads + h.head] = most[half] + __logf(sum);
    }
  }
}

/// A warp's numbers, as bf16, into rows 16 warp .. of a tile.
__device__ __forceinline__ void put(char* tile, const float (&x)[8][4], int limit) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
  for (int t = 0; t < 8; ++t) {
    if (t >= 2 * limit) break;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const uint32_t at = place(16 * warp + lane / 4 + 8 * half, 8 * t) + 4 * (lane % 4);
      *reinterpret_cast<uint32_t*>(tile + at) = packed(x[t][2 * half], x[t][2 * half + 1]);
    }
  }
}

/// acc [16 keys of this warp, 64] += A^T B over queries 16 first .. 16 last of the tiles.
__device__ __forceinline__ void product_transposed(float (&acc)[8][4], uint32_t a_tile, uint32_t b_tile, int first,
                                                   int last) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int step = first; step < last; ++step) {
    uint32_t factor[4];
    load_transposed(factor,
                    a_tile + place(16 * step + (lane & 7) + ((lane >> 4) & 1) * 8, 16 * warp + ((lane >> 3) & 1) * 8));
    product_columns(acc, factor, b_tile, 16 * step);
  }
}

/// All gradients of a row of at most 64 tokens. Tiles have as many rows as the longest row needs.
__global__ void __launch_bounds__(threads, 4)
    backward_short(const DeviceAttention a, const bf16* d_out, bf16* d_qkv, int bytes) {
  extern __shared__ __align__(128) char memory[];
  const Head h(a);
  if (h.n == 0 || h.n > side) return;
  char *k_tile = memory, *v_tile = memory + bytes, *q_tile = memory + 2 * bytes, *g_tile = memory + 3 * bytes;
  char *w_tile = memory + 4 * bytes, *s_tile = memory + 5 * bytes;
  h.load_part(q_tile, 0, 0);
  h.load_part(k_tile, 1, 0);
  h.load(g_tile, d_out + h.out_at(0), a.heads * side, 0, false);
  h.load_part(v_tile, 2, 0);
  __syncthreads();
  const int mine = 16 * h.warp, limit = h.seen(mine, 0);
  const uint32_t k = shared_address(k_tile), q = shared_address(q_tile), g = shared_address(g_tile);
  if (mine < h.n) {
    float s[8][4] = {}, d[8][4] = {};
    product_rows(s, q, mine, k, limit);
    product_rows(d, g, mine, shared_address(v_tile), limit);
    h.finish_scores(s, mine, 0, limit);
    h.slopes_of_scores(s, d, d_out, mine, 0, limit);
    put(w_tile, s, limit);
    put(s_tile, d, limit);
  }
  __syncthreads();
  if (mine >= h.n) return;
  const int steps = (h.n + 15) / 16;
  {
    float d_v[8][4] = {};
    product_transposed(d_v, shared_address(w_tile), g, h.warp, steps);
    h.store(d_qkv, d_v, mine, 2, 1);
  }
  {
    float d_k[8][4] = {};
    product_transposed(d_k, shared_address(s_tile), q, h.warp, steps);
    h.store(d_qkv, d_k, mine, 1, a.scale);
  }
  float d_q[8][4] = {};
  for (int pair = 0; pair < limit; ++pair) {
    uint32_t factor[4];
    load_matrices(factor, shared_address(s_tile) + place(mine + (h.lane & 15), 16 * pair + (h.lane >> 4) * 8));
    product_columns(d_q, factor, k, 16 * pair);
  }
  h.store(d_qkv, d_q, mine, 0, a.scale);
}

/// Gradients of 64 keys and values of rows of more than 64 tokens.
__global__ void __launch_bounds__(threads) backward_keys(const DeviceAttention a, const bf16* d_out, bf16* d_qkv) {
  extern __shared__ __align__(128) char memory[];
  const Head h(a);
  const int j0 = side * blockIdx.y;
  if (j0 >= h.n || h.n <= side) return;
  char *k_tile = memory, *v_tile = memory + tile_bytes, *q_tile = memory + 2 * tile_bytes;
  char *g_tile = memory + 3 * tile_bytes, *w_tile = memory + 4 * tile_bytes, *s_tile = memory + 5 * tile_bytes;
  const uint32_t k = shared_address(k_tile), v = shared_address(v_tile), q = shared_address(q_tile);
  const uint32_t g = shared_address(g_tile), w = shared_address(w_tile), ds = shared_address(s_tile);
  h.load_part(k_tile, 1, j0);
  h.load_part(v_tile, 2, j0);
  float d_k[8][4] = {}, d_v[8][4] = {};
  for (int q0 = j0; q0 < h.n; q0 += side) {
    if (q0 > j0) __syncthreads();
    h.load_part(q_tile, 0, q0);
    h.load(g_tile, d_out + h.out_at(q0), a.heads * side, q0, false);
    __syncthreads();
    const int i0 = q0 + 16 * h.warp, limit = h.seen(i0, j0);
    if (i0 < h.n) {
      float s[8][4] = {}, d[8][4] = {};
      product_rows(s, q, 16 * h.warp, k, limit);
      product_rows(d, g, 16 * h.warp, v, limit);
      h.finish_scores(s, i0, j0, limit);
      h.slopes_of_scores(s, d, d_out, i0, j0, limit);
      put(w_tile, s, limit);
      put(s_tile, d, limit);
    }
    __syncthreads();
    if (j0 + 16 * h.warp >= h.n) continue;
    const int first = q0 == j0 ? h.warp : 0, last = (min(side, h.n - q0) + 15) / 16;
    product_transposed(d_v, w, g, first, last);
    product_transposed(d_k, ds, q, first, last);
  }
  h.store(d_qkv, d_k, j0 + 16 * h.warp, 1, a.scale);
  h.store(d_qkv, d_v, j0 + 16 * h.warp, 2, 1);
}

/// Gradients of 64 queries of rows of more than 64 tokens.
__global__ void __launch_bounds__(threads) backward_queries(const DeviceAttention a, const bf16* d_out, bf16* d_qkv) {
  __shared__ __align__(128) char memory[4 * tile_bytes];
  const Head h(a);
  const int q0 = side * (gridDim.y - 1 - blockIdx.y);
  if (q0 >= h.n || h.n <= side) return;
  char *k_tile = memory, *v_tile = memory + tile_bytes, *q_tile = memory + 2 * tile_bytes,
       *g_tile = memory + 3 * tile_bytes;
  const uint32_t k = shared_address(k_tile), v = shared_address(v_tile);
  const uint32_t q = shared_address(q_tile), g = shared_address(g_tile);
  const int i0 = q0 + 16 * h.warp;
  h.load_part(q_tile, 0, q0);
  h.load(g_tile, d_out + h.out_at(q0), a.heads * side, q0, false);
  float d_q[8][4] = {};
  for (int j0 = 0; j0 <= q0; j0 += side) {
    if (j0) __syncthreads();
    h.load_part(k_tile, 1, j0);
    h.load_part(v_tile, 2, j0);
    __syncthreads();
    if (i0 >= h.n) continue;
    const int limit = h.seen(i0, j0);
    float s[8][4] = {}, d[8][4] = {};
    product_rows(s, q, 16 * h.warp, k, limit);
    product_rows(d, g, 16 * h.warp, v, limit);
    h.finish_scores(s, i0, j0, limit);
    h.slopes_of_scores(s, d, d_out, i0, j0, limit);
#pragma unroll
    for (int pair = 0; pair < 4; ++pair) {
      if (pair >= limit) break;
      uint32_t factor[4];
      as_factor(factor, d, pair);
      product_columns(d_q, factor, k, 16 * pair);
    }
  }
  if (i0 < h.n) h.store(d_qkv, d_q, i0, 0, a.scale);
}

dim3 grid(const DeviceAttention& a) {
  return dim3(a.rows.rows * a.heads, (a.rows.longest + side - 1) / side);
}

}  // namespace

void attention_tiles_forward(const DeviceAttention& a, cudaStream_t stream) {
  forward<<<grid(a), threads, 0, stream>>>(a);
}

void attention_tiles_backward(const DeviceAttention& a, const void* d_out, void* d_qkv, cudaStream_t stream) {
  const auto* gradient = static_cast<const bf16*>(d_out);
  auto* to = static_cast<bf16*>(d_qkv);
  const int bytes = (std::min(a.rows.longest, side) + 15) / 16 * 16 * 128;
  backward_short<<<a.rows.rows * a.heads, threads, 6 * bytes, stream>>>(a, gradient, to, bytes);
  if (a.rows.longest > side) {
    backward_keys<<<grid(a), threads, 6 * tile_bytes, stream>>>(a, gradient, to);
    backward_queries<<<grid(a), threads, 0, stream>>>(a, gradient, to);
  }
}

}  // namespace rfs
