// One row and head of packed attention, processed by a block of four warps. tiles.cuh describes how values are spread
// over registers. Kernels compiled without scaled queries, windows, bias and grouped heads pay nothing for them.
#pragma once

#include "rfs/ops/attention_launch.h"
#include "rfs/ops/tiles.cuh"

namespace rfs {

template <AttentionExtras Extras>
struct Head {
  static constexpr bool Scaled = Extras != AttentionExtras::none, All = Extras == AttentionExtras::all;

  const DeviceAttention& a;
  int row, head, kv_head, begin, n, lane, warp;
  float slope;

  __device__ Head(const DeviceAttention& arguments)
      : a(arguments),
        row(blockIdx.x / arguments.heads),
        head(blockIdx.x % arguments.heads),
        kv_head(All ? head / (arguments.heads / arguments.kv_heads) : head),
        begin(arguments.rows.offsets[row]),
        n(arguments.rows.offsets[row + 1] - begin),
        lane(threadIdx.x % 32),
        warp(threadIdx.x / 32),
        slope(arguments.slopes ? arguments.slopes[head] : 0) {}

  /// Factors of the two queries of a thread. Loaded early to hide the memory latency.
  struct Factors {
    float of[2];
  };
  __device__ int stride() const { return All ? (a.heads + 2 * a.kv_heads) * tile_size : 3 * a.heads * tile_size; }
  __device__ int64_t qkv_at(int token, int part) const {
    if (!All) return (static_cast<int64_t>(begin + token) * 3 + part) * a.heads * tile_size + head * tile_size;
    const int column = part == 0 ? head : a.heads + (part - 1) * a.kv_heads + kv_head;
    return static_cast<int64_t>(begin + token) * stride() + column * tile_size;
  }
  __device__ int64_t out_at(int token) const {
    return static_cast<int64_t>(begin + token) * a.heads * tile_size + head * tile_size;
  }

  /// Starts to copy the tokens from `first` on of an [N, stride] array into a tile. Rows past the end are filled with
  /// zeros, up to a multiple of 16.
  __device__ void load(char* tile, const bf16* from, int64_t stride, int first) const {
    const int count = min(tile_size, n - first);
    for (int unit = threadIdx.x; unit < (count + 15) / 16 * 16 * 8; unit += blockDim.x) {
      const int r = unit >> 3, piece = unit & 7;
      copy_async(shared_address(tile) + tile_offset(r, 8 * piece), from + min(r, count - 1) * stride + piece * 8,
                 r < count);
    }
  }
  __device__ void load_part(char* tile, int part, int first) const {
    load(tile, static_cast<const bf16*>(a.qkv) + qkv_at(first, part), stride(), first);
  }
  __device__ void load_out(char* tile, const bf16* from, int first) const {
    load(tile, from + out_at(first), a.heads * tile_size, first);
  }

  /// Waits for the copies, then rotates the tokens from `first` on of a tile, and of a second tile if `other` is not
  /// null.
  __device__ void rotate(char* tile, char* other, int first) const {
    const int count = min(tile_size, n - first), pieces = (a.rows.pairs + 3) / 4;
    float cosines[4], sines[4];
    const auto fetch = [&](int unit) {
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        const int pair = 4 * (unit % pieces) + k;
        const int64_t at = static_cast<int64_t>(begin + first + unit / pieces) * a.rows.pairs + pair;
        cosines[k] = pair < a.rows.pairs ? a.rows.cos[at] : 1;
        sines[k] = pair < a.rows.pairs ? a.rows.sin[at] : 0;
      }
    };
    const int units = count * pieces;
    if (threadIdx.x < units) fetch(threadIdx.x);
    wait_for_copies();
    if (pieces == 0) return;
    for (int unit = threadIdx.x; unit < units; unit += blockDim.x) {
      if (unit >= blockDim.x) fetch(unit);
      rotate_piece(tile + tile_offset(unit / pieces, 8 * (unit % pieces)), cosines, sines);
      if (other) rotate_piece(other + tile_offset(unit / pieces, 8 * (unit % pieces)), cosines, sines);
    }
    __syncthreads();
  }
  __device__ static void rotate_piece(char* piece, const float (&cosines)[4], const float (&sines)[4]) {
    uint4 words = *reinterpret_cast<uint4*>(piece);
    uint32_t* word = &words.x;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const float2 x = unpack(word[k]);
      word[k] = packed(x.x * cosines[k] - x.y * sines[k], x.x * sines[k] + x.y * cosines[k]);
    }
    *reinterpret_cast<uint4*>(piece) = words;
  }

  /// Where the gradient of `part` of a token goes. With grouped heads, the gradients of keys and values are added up
  /// later.
  __device__ bf16* gradient_at(const AttentionGradient& to, int token, int part) const {
    if (All && part > 0 && a.kv_heads < a.heads) {
      const int64_t at = (static_cast<int64_t>(begin + token) * 2 + part - 1) * a.heads + head;
      return static_cast<bf16*>(to.d_heads) + at * tile_size;
    }
    return static_cast<bf16*>(to.d_qkv) + qkv_at(token, part);
  }

  /// Writes a warp's values, rotated back, as the gradients of `part` of the tokens from `first` on.
  __device__ void store(const AttentionGradient& to, const float (&x)[8][4], int first, int part, float factor) const {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int token = first + lane / 4 + 8 * half;
      if (token >= n) continue;
      bf16* at = gradient_at(to, token, part) + 2 * (lane % 4);
#pragma unroll
      for (int t = 0; t < 8; ++t) {
        float low = factor * x[t][2 * half], high = factor * x[t][2 * half + 1];
        const int pair = 4 * t + lane % 4;
        if (part < 2 && pair < a.rows.pairs) {
          const int64_t angle = static_cast<int64_t>(begin + token) * a.rows.pairs + pair;
          const float cosine = a.rows.cos[angle], sine = a.rows.sin[angle], rotated = low * cosine + high * sine;
          high = high * cosine - low * sine;
          low = rotated;
        }
        *reinterpret_cast<uint32_t*>(at + 8 * t) = packed(low, high);
      }
    }
  }

  /// Computes the gradients of the query factors from d_q, the gradients of a warp's rotated queries from
  /// `first` on. The queries start at row `row` of q_tile.
  __device__ void store_factors(const AttentionGradient& to, const float (&d_q)[8][4], const char* q_tile, int first,
                                int row, const Factors& factors) const {
    if constexpr (!Scaled) return;
    if (!a.query_scale.active()) return;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int r = lane / 4 + 8 * half;
      float inner = 0;
#pragma unroll
      for (int t = 0; t < 8; ++t) {
        const float2 q =
            unpack(*reinterpret_cast<const uint32_t*>(q_tile + tile_offset(row + r, 8 * t) + 4 * (lane % 4)));
        inner += q.x * d_q[t][2 * half] + q.y * d_q[t][2 * half + 1];
      }
      inner = quad_sum(inner);
      if (first + r >= n || lane % 4 != 0) continue;
      const float times = factors.of[half];
      to.d_factors[static_cast<int64_t>(begin + first + r) * a.heads + head] = times != 0 ? a.scale * inner / times : 0;
    }
  }

  /// Writes the bias gradients, which equal the gradients of the scores of queries and keys from i0 and j0 on.
  __device__ void store_bias(const AttentionGradient& to, const float (&d)[8][4], int i0, int j0, int limit) const {
    if constexpr (!All) return;
    if (!a.bias) return;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int i = i0 + lane / 4 + 8 * half;
#pragma unroll
      for (int t = 0; t < 8; ++t) {
        if (t >= 2 * limit) break;
#pragma unroll
        for (int e = 0; e < 2; ++e) {
          const int j = j0 + 8 * t + 2 * (lane % 4) + e;
          if (i < n && sees(i, j)) to.d_bias[bias_at(i) + j] = d[t][2 * half + e];
        }
      }
    }
  }
  /// Factors of the queries from i0 on.
  __device__ Factors query_factors(int i0) const {
    Factors factors = {{1, 1}};
    if constexpr (!Scaled) return factors;
    if (!a.query_scale.active()) return factors;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int i = i0 + lane / 4 + 8 * half;
      if (i < n) factors.of[half] = a.query_scale.of(static_cast<int64_t>(begin + i) * a.heads + head, head, i + 1);
    }
    return factors;
  }
  /// Multiplies the gradients of the scores by the query factors.
  __device__ void scale_slopes(float (&d)[8][4], const Factors& factors, int limit) const {
    if constexpr (!Scaled) return;
    if (!a.query_scale.active()) return;
#pragma unroll
    for (int t = 0; t < 8; ++t) {
      if (t >= 2 * limit) break;
#pragma unroll
      for (int e = 0; e < 4; ++e) d[t][e] *= factors.of[e / 2];
    }
  }
  __device__ int64_t bias_at(int i) const {
    return (static_cast<int64_t>(head) * a.rows.tokens + begin + i) * a.rows.longest;
  }
  __device__ bool sees(int i, int j) const {
    return j <= i && (!All || a.window == 0 || j > i - a.window);
  }
  /// first_keys: start of the first key tile that the queries of tile q0 see. end_queries: end of the queries that see
  /// the keys of tile j0.
  __device__ int first_keys(int q0) const {
    return All && a.window > 0 ? max(0, q0 - a.window + 1) / tile_size * tile_size : 0;
  }
  __device__ int end_queries(int j0) const {
    return All && a.window > 0 ? min(n, j0 + tile_size - 1 + a.window) : n;
  }

  /// Applies scale, slopes, bias and mask to the scores of 16 queries from i0 on and 16 limit keys from j0 on. Keys
  /// before the window get a finite score, because a tile may hold no visible key of a query. Their contribution
  /// vanishes once the query's own key is added.
  __device__ void finish_scores(float (&s)[8][4], int i0, int j0, int limit, const Factors& factors) const {
    const float* p = a.rows.positions + begin;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int i = i0 + lane / 4 + 8 * half;
      const float mine = slope != 0 && i < n ? p[i] : 0;
      const float scale = Scaled ? a.scale * factors.of[half] : a.scale;
#pragma unroll
      for (int t = 0; t < 8; ++t) {
        if (t >= 2 * limit) break;
#pragma unroll
        for (int e = 0; e < 2; ++e) {
          const int j = j0 + 8 * t + 2 * (lane % 4) + e;
          float& x = s[t][2 * half + e];
          x *= scale;
          if (slope != 0 && j < n) x -= slope * (mine - p[j]);
          if (All && a.bias && i < n && sees(i, j)) x += a.bias[bias_at(i) + j];
          if (All && j <= i && !sees(i, j)) x = -1e30f;
          if (j > i) x = -INFINITY;
        }
      }
    }
  }

  /// Random words for this thread's keys of query i, from key j0 + 32 part on. Word t % 4 serves key
  /// 8 t + 2 (lane % 4) and the next one.
  __device__ uint4 words(int i, int j0, int part) const {
    const uint64_t parts = (static_cast<uint64_t>(n) + 31) / 32;
    const uint64_t block = ((static_cast<uint64_t>(head) * n + i) * parts + j0 / 32 + part) * 4 + lane % 4;
    return dropout_words(a.dropout, a.rows.samples[row], a.site, block);
  }
  __device__ float2 factors(const uint4& words, int t) const {
    return dropout_pair(a.dropout, t % 4 == 0 ? words.x : t % 4 == 1 ? words.y : t % 4 == 2 ? words.z : words.w);
  }

  /// How many groups of 16 keys from j0 on are visible to the 16 queries from i0 on.
  __device__ int seen(int i0, int j0) const {
    const int keys = min(tile_size, n - j0);
    return max(0, min((keys + 15) / 16, (i0 + 15 - j0) / 16 + 1));
  }

  /// Index of this thread's dropout bits of query i. Bit 2 t + e is for key 8 t + 2 (lane % 4) + e.
  __device__ int64_t kept_at(int i) const {
    return (static_cast<int64_t>(begin + i) * a.heads + head) * 4 + lane % 4;
  }

  /// What the backward pass needs for the two queries of a thread: log-sum-exp, the dot product of output and output
  /// gradient, and which weights dropout kept. Loaded early to hide the memory latency.
  struct Queries {
    float log_sum[2], inner[2];
    uint32_t kept[2];
  };
  __device__ Queries queries(const bf16* d_out, int i0) const {
    Queries of;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int i = i0 + lane / 4 + 8 * half;
      of.log_sum[half] = INFINITY;
      of.inner[half] = 0;
      of.kept[half] = 0;
      if (i >= n) continue;
      if (a.kept && n <= tile_size) of.kept[half] = a.kept[kept_at(i)];
      of.log_sum[half] = a.log_sum[static_cast<int64_t>(begin + i) * a.heads + head];
      const int64_t at = out_at(i) + 16 * (lane % 4);
#pragma unroll
      for (int piece = 0; piece < 2; ++piece) {
        float x[8], y[8];
        load8(static_cast<const bf16*>(a.out) + at + 8 * piece, x);
        load8(d_out + at + 8 * piece, y);
#pragma unroll
        for (int k = 0; k < 8; ++k) of.inner[half] += x[k] * y[k];
      }
    }
    return of;
  }

  /// Dropout factors of a thread's weights (half: which of its two queries; t: column group), from the bits of the
  /// forward pass or drawn again.
  __device__ auto kept_factors(const Queries& of) const {
    return [this, of](int half, int t) {
      if (!a.dropout.threshold) return make_float2(1, 1);
      const uint32_t bits = of.kept[half] >> (2 * t);
      return make_float2(bits & 1 ? a.dropout.scale : 0, bits & 2 ? a.dropout.scale : 0);
    };
  }
  __device__ auto drawn_factors(int i0, int j0) const {
    return [this, i0, j0, random = uint4()](int half, int t) mutable {
      if (!a.dropout.threshold) return make_float2(1, 1);
      if (t % 4 == 0) random = words(i0 + lane / 4 + 8 * half, j0, t / 4);
      return factors(random, t);
    };
  }

  /// Takes the scores s and the gradients d of the weights after dropout. Turns s into the weights after dropout and d
  /// into the gradients of the scores. Both become 0 for queries past the end of the row.
  template <class Factors>
  __device__ void slopes_of_scores(float (&s)[8][4], float (&d)[8][4], const Queries& of, int limit,
                                   Factors factors_of) const {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const float inner = quad_sum(of.inner[half]);
#pragma unroll
      for (int t = 0; t < 8; ++t) {
        if (t >= 2 * limit) break;
        const float2 kept = factors_of(half, t);
#pragma unroll
        for (int e = 0; e < 2; ++e) {
          float &x = s[t][2 * half + e], &y = d[t][2 * half + e];
          const float weight = __expf(x - of.log_sum[half]), factor = e ? kept.y : kept.x;
          y = weight * (y * factor - inner);
          x = weight * factor;
        }
      }
    }
  }
};

}  // namespace rfs
