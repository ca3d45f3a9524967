// Attention on the tensor cores, for bf16 and 64-dim heads. A block of four warps handles 64 queries of one row and
// head, or 64 keys for the gradients of keys and values. A warp handles 16 of them.

#include <algorithm>

#include "rfs/ops/attention_head.cuh"

namespace rfs {
namespace {

/// `bytes`: size of a tile, which has as many rows as the longest row needs.
template <AttentionExtras Extras>
__global__ void __launch_bounds__(threads, Extras == AttentionExtras::all ? 4 : 5)
    forward(const DeviceAttention a, int bytes) {
  extern __shared__ __align__(128) char memory[];
  const Head<Extras> h(a);
  const int q0 = tile_size * (gridDim.y - 1 - blockIdx.y);  // start the blocks with the most keys first
  if (q0 >= h.n) return;
  char *q_tile = memory, *k_tile = memory + bytes, *v_tile = memory + 2 * bytes;
  const uint32_t q = shared_address(q_tile), k = shared_address(k_tile), v = shared_address(v_tile);
  const int i0 = q0 + 16 * h.warp;
  h.load_part(q_tile, 0, q0);
  const auto factors = h.query_factors(i0);
  if (q0 > 0) h.rotate(q_tile, nullptr, q0);
  float out[8][4] = {}, most[2] = {-INFINITY, -INFINITY}, total[2] = {0, 0};
  const int first = h.first_keys(q0);
  for (int j0 = first; j0 <= q0; j0 += tile_size) {
    if (j0 > first) __syncthreads();
    h.load_part(k_tile, 1, j0);
    h.load_part(v_tile, 2, j0);
    h.rotate(k_tile, q0 == 0 ? q_tile : nullptr, j0);
    if (i0 >= h.n) continue;
    const int limit = h.seen(i0, j0);
    float s[8][4] = {};
    product_rows(s, q, 16 * h.warp, k, limit);
    h.finish_scores(s, i0, j0, limit, factors);
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
      uint32_t kept_bits = 0;
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
          kept_bits |= (kept.x != 0 ? 1u : 0u) << (2 * t) | (kept.y != 0 ? 2u : 0u) << (2 * t);
        }
      }
      if (a.kept && h.n <= tile_size && i < h.n) a.kept[h.kept_at(i)] = static_cast<uint16_t>(kept_bits);
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
    const float sum = quad_sum(total[half]), share = 1 / sum;
    if (i >= h.n) continue;
    bf16* to = static_cast<bf16*>(a.out) + h.out_at(i) + 2 * (h.lane % 4);
#pragma unroll
    for (int t = 0; t < 8; ++t) {
      *reinterpret_cast<uint32_t*>(to + 8 * t) = packed(out[t][2 * half] * share, out[t][2 * half + 1] * share);
    }
    if (h.lane % 4 == 0) {
      a.log_sum[static_cast<int64_t>(h.begin + i) * a.heads + h.head] = most[half] + __logf(sum);
    }
  }
}

/// All gradients of a row of at most 64 tokens. `bytes`: size of a tile, which has as many rows as the longest row
/// needs.
template <AttentionExtras Extras>
__global__ void __launch_bounds__(threads, 4)
    backward_short(const DeviceAttention a, const AttentionGradient to, int bytes) {
  extern __shared__ __align__(128) char memory[];
  const Head<Extras> h(a);
  const auto* d_out = static_cast<const bf16*>(to.d_out);
  if (h.n == 0 || h.n > tile_size) return;
  char *k_tile = memory, *v_tile = memory + bytes, *q_tile = memory + 2 * bytes, *g_tile = memory + 3 * bytes;
  char *w_tile = memory + 4 * bytes, *s_tile = memory + 5 * bytes;
  h.load_part(q_tile, 0, 0);
  h.load_part(k_tile, 1, 0);
  h.load_out(g_tile, d_out, 0);
  h.load_part(v_tile, 2, 0);
  const int mine = 16 * h.warp, limit = h.seen(mine, 0);
  const auto of = h.queries(d_out, mine);
  const auto factors = h.query_factors(mine);
  h.rotate(k_tile, q_tile, 0);
  const uint32_t k = shared_address(k_tile), q = shared_address(q_tile), g = shared_address(g_tile);
  if (mine < h.n) {
    float s[8][4] = {}, d[8][4] = {};
    product_rows(s, q, mine, k, limit);
    product_rows(d, g, mine, shared_address(v_tile), limit);
    h.finish_scores(s, mine, 0, limit, factors);
    h.slopes_of_scores(s, d, of, limit, h.kept_factors(of));
    h.store_bias(to, d, mine, 0, limit);
    h.scale_slopes(d, factors, limit);
    put(w_tile, s, limit);
    put(s_tile, d, limit);
  }
  __syncthreads();
  if (mine >= h.n) return;
  const int steps = (h.n + 15) / 16;
  {
    float d_v[8][4] = {};
    product_transposed(d_v, shared_address(w_tile), g, h.warp, steps);
    h.store(to, d_v, mine, 2, 1);
  }
  {
    float d_k[8][4] = {};
    product_transposed(d_k, shared_address(s_tile), q, h.warp, steps);
    h.store(to, d_k, mine, 1, a.scale);
  }
  float d_q[8][4] = {};
  for (int pair = 0; pair < limit; ++pair) {
    uint32_t factor[4];
    load_matrices(factor, shared_address(s_tile) + tile_offset(mine + (h.lane & 15), 16 * pair + (h.lane >> 4) * 8));
    product_columns(d_q, factor, k, 16 * pair);
  }
  h.store_factors(to, d_q, q_tile, mine, mine, factors);
  h.store(to, d_q, mine, 0, a.scale);
}

/// Gradients of 64 keys and values, for rows of more than 64 tokens.
template <AttentionExtras Extras>
__global__ void __launch_bounds__(threads) backward_keys(const DeviceAttention a, const AttentionGradient to) {
  extern __shared__ __align__(128) char memory[];
  const Head<Extras> h(a);
  const auto* d_out = static_cast<const bf16*>(to.d_out);
  const int j0 = tile_size * blockIdx.y;
  if (j0 >= h.n || h.n <= tile_size) return;
  char *k_tile = memory, *v_tile = memory + tile_bytes, *q_tile = memory + 2 * tile_bytes;
  char *g_tile = memory + 3 * tile_bytes, *w_tile = memory + 4 * tile_bytes, *s_tile = memory + 5 * tile_bytes;
  const uint32_t k = shared_address(k_tile), v = shared_address(v_tile), q = shared_address(q_tile);
  const uint32_t g = shared_address(g_tile), w = shared_address(w_tile), ds = shared_address(s_tile);
  h.load_part(k_tile, 1, j0);
  h.load_part(v_tile, 2, j0);
  h.rotate(k_tile, nullptr, j0);
  float d_k[8][4] = {}, d_v[8][4] = {};
  const int end = h.end_queries(j0);
  for (int q0 = j0; q0 < end; q0 += tile_size) {
    if (q0 > j0) __syncthreads();
    h.load_part(q_tile, 0, q0);
    h.load_out(g_tile, d_out, q0);
    const int i0 = q0 + 16 * h.warp, limit = h.seen(i0, j0);
    const auto of = h.queries(d_out, i0);
    const auto factors = h.query_factors(i0);
    h.rotate(q_tile, nullptr, q0);
    if (i0 < h.n) {
      float s[8][4] = {}, d[8][4] = {};
      product_rows(s, q, 16 * h.warp, k, limit);
      product_rows(d, g, 16 * h.warp, v, limit);
      h.finish_scores(s, i0, j0, limit, factors);
      h.slopes_of_scores(s, d, of, limit, h.drawn_factors(i0, j0));
      h.scale_slopes(d, factors, limit);
      put(w_tile, s, limit);
      put(s_tile, d, limit);
    }
    __syncthreads();
    if (j0 + 16 * h.warp >= h.n) continue;
    const int first = q0 == j0 ? h.warp : 0, last = (min(tile_size, h.n - q0) + 15) / 16;
    product_transposed(d_v, w, g, first, last);
    product_transposed(d_k, ds, q, first, last);
  }
  h.store(to, d_k, j0 + 16 * h.warp, 1, a.scale);
  h.store(to, d_v, j0 + 16 * h.warp, 2, 1);
}

/// Gradients of 64 queries, for rows of more than 64 tokens.
template <AttentionExtras Extras>
__global__ void __launch_bounds__(threads) backward_queries(const DeviceAttention a, const AttentionGradient to) {
  __shared__ __align__(128) char memory[4 * tile_bytes];
  const Head<Extras> h(a);
  const auto* d_out = static_cast<const bf16*>(to.d_out);
  const int q0 = tile_size * (gridDim.y - 1 - blockIdx.y);
  if (q0 >= h.n || h.n <= tile_size) return;
  char *k_tile = memory, *v_tile = memory + tile_bytes, *q_tile = memory + 2 * tile_bytes,
       *g_tile = memory + 3 * tile_bytes;
  const uint32_t k = shared_address(k_tile), v = shared_address(v_tile);
  const uint32_t q = shared_address(q_tile), g = shared_address(g_tile);
  const int i0 = q0 + 16 * h.warp;
  h.load_part(q_tile, 0, q0);
  h.load_out(g_tile, d_out, q0);
  const auto of = h.queries(d_out, i0);
  const auto factors = h.query_factors(i0);
  h.rotate(q_tile, nullptr, q0);
  float d_q[8][4] = {};
  const int first = h.first_keys(q0);
  for (int j0 = first; j0 <= q0; j0 += tile_size) {
    if (j0 > first) __syncthreads();
    h.load_part(k_tile, 1, j0);
    h.load_part(v_tile, 2, j0);
    h.rotate(k_tile, nullptr, j0);
    if (i0 >= h.n) continue;
    const int limit = h.seen(i0, j0);
    float s[8][4] = {}, d[8][4] = {};
    product_rows(s, q, 16 * h.warp, k, limit);
    product_rows(d, g, 16 * h.warp, v, limit);
    h.finish_scores(s, i0, j0, limit, factors);
    h.slopes_of_scores(s, d, of, limit, h.drawn_factors(i0, j0));
    h.store_bias(to, d, i0, j0, limit);
    h.scale_slopes(d, factors, limit);
#pragma unroll
    for (int pair = 0; pair < 4; ++pair) {
      if (pair >= limit) break;
      uint32_t factor[4];
      as_factor(factor, d, pair);
      product_columns(d_q, factor, k, 16 * pair);
    }
  }
  if (i0 >= h.n) return;
  h.store_factors(to, d_q, q_tile, i0, 16 * h.warp, factors);
  h.store(to, d_q, i0, 0, a.scale);
}

/// Threads per block; short rows need fewer warps.
int short_threads(const DeviceAttention& a) {
  return a.rows.longest > tile_size ? threads : (a.rows.longest + 15) / 16 * 32;
}

dim3 grid(const DeviceAttention& a) {
  return dim3(a.rows.rows * a.heads, (a.rows.longest + tile_size - 1) / tile_size);
}

/// Calls `body` with a.extras() as a compile-time constant.
template <class Body>
void for_extras(const DeviceAttention& a, Body body) {
  switch (a.extras()) {
    case AttentionExtras::none:
      return body(std::integral_constant<AttentionExtras, AttentionExtras::none>());
    case AttentionExtras::scaled:
      return body(std::integral_constant<AttentionExtras, AttentionExtras::scaled>());
    case AttentionExtras::all:
      return body(std::integral_constant<AttentionExtras, AttentionExtras::all>());
  }
}

}  // namespace

void attention_tiles_forward(const DeviceAttention& a, cudaStream_t stream) {
  const int bytes = (std::min(a.rows.longest, tile_size) + 15) / 16 * 16 * 128;
  for_extras(a, [&](auto extras) {
    forward<decltype(extras)::value><<<grid(a), short_threads(a), 3 * bytes, stream>>>(a, bytes);
  });
}

void attention_tiles_backward(const DeviceAttention& a, const AttentionGradient& to, cudaStream_t stream) {
  const int bytes = (std::min(a.rows.longest, tile_size) + 15) / 16 * 16 * 128;
  for_extras(a, [&](auto extras) {
    constexpr AttentionExtras Extras = decltype(extras)::value;
    backward_short<Extras><<<a.rows.rows * a.heads, short_threads(a), 6 * bytes, stream>>>(a, to, bytes);
    if (a.rows.longest <= tile_size) return;
    backward_keys<Extras><<<grid(a), threads, 6 * tile_bytes, stream>>>(a, to);
    backward_queries<Extras><<<grid(a), threads, 0, stream>>>(a, to);
  });
}

}  // namespace rfs
