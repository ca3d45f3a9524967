// Attention for Hopper GPUs: gradients. The first kernel computes those of 64 queries per group, walking over keys, and
// each query's inner product of output and output gradient. The second computes those of 64 keys and values per group,
// walking over queries; its scores have a row for each key and a column for each query. Both compute the weights again
// from log_sum.

#include "rfs/ops/hopper_head.cuh"

namespace rfs {
namespace {

template <int Width>
struct QueryShape {
  static constexpr int parts = Width / 64, groups = 2, blocks = Width == 64 ? 2 : 1, stages = 3;
  static constexpr int queries = 64 * groups, threads = group_threads * groups;
  using Keys = Ring<stages, 2 * parts>;
  static constexpr int owned = groups * parts * tile_bytes;  ///< bytes of the queries, and of their output gradients
  static constexpr int bytes = 1024 + 2 * owned + Keys::bytes + (1 + Keys::barriers) * 8;
};

template <int Width, bool Scaled>
__global__ void __launch_bounds__(QueryShape<Width>::threads, QueryShape<Width>::blocks)
    backward_queries(const DeviceAttention a, const AttentionGradient to, const __grid_constant__ CUtensorMap qkv,
                     const __grid_constant__ CUtensorMap d_out) {
  using S = QueryShape<Width>;
  extern __shared__ char memory[];
  const HopperRow r(a, blockIdx.x / a.heads);
  const int head = blockIdx.x % a.heads, kv_head = head / (a.heads / a.kv_heads);
  const int q0 = S::queries * (gridDim.y - 1 - blockIdx.y);  // start the blocks with the most keys first
  if (q0 >= r.n) return;
  char* const base = aligned_memory(memory);
  const int at = r.group * S::parts * tile_bytes;
  const uint32_t queries = shared_address(base), gradients = queries + S::owned;
  const typename S::Keys keys{queries + 2 * S::owned, queries + 2 * S::owned + S::Keys::bytes + 8};
  const uint32_t queries_there = keys.barrier - 8;
  const KeyWalk walk(a, r, q0, S::queries);
  const WalkedKeys<Width, S::stages> walked{a, r, walk, keys, &qkv, kv_head};
  if (threadIdx.x == 0) {
    barrier_init(queries_there, 1);
    keys.init(4 * S::groups);
  }
  publish_barriers();
  if (threadIdx.x == 0) {
    barrier_expect(queries_there, 2 * S::owned);
    for (int g = 0; g < S::groups; ++g) {
      const int to_tile = g * S::parts * tile_bytes, token = r.begin + q0 + 64 * g;
      copy_tokens<Width>(queries + to_tile, &qkv, head * Width, token, queries_there);
      copy_tokens<Width>(gradients + to_tile, &d_out, head * Width, token, queries_there);
    }
    walked.start();
  }
  const int i0 = walk.i0, mine = i0 + r.line(0);
  walked.skip(0, min(walk.begin, walk.blocks));
  if (!walk.any) return;

  float log_sum[2], inner[2], factors[2] = {1, 1};
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const int i = mine + 8 * half;
    log_sum[half] = INFINITY;
    inner[half] = 0;
    const int64_t token_and_head = static_cast<int64_t>(r.begin + i) * a.heads + head;
    if (i < r.n) {
      log_sum[half] = a.log_sum[token_and_head] * log2_e;
      if (Scaled) factors[half] = a.query_scale.of(token_and_head, head, i + 1);
      const int64_t dims = token_and_head * Width + Width / 4 * (r.lane % 4);
#pragma unroll
      for (int piece = 0; piece < Width / 32; ++piece) {
        float x[8], y[8];
        load8(static_cast<const bf16*>(a.out) + dims + 8 * piece, x);
        load8(static_cast<const bf16*>(to.d_out) + dims + 8 * piece, y);
#pragma unroll
        for (int k = 0; k < 8; ++k) inner[half] += x[k] * y[k];
      }
    }
    inner[half] = quad_sum(inner[half]);
    if (i < r.n && r.lane % 4 == 0) to.inner[token_and_head] = inner[half];
  }
  const float scale = a.scale * log2_e;
  const uint64_t q_tile = described(queries + at), g_tile = described(gradients + at);
  float d_q[S::parts][8][4] = {};
  barrier_wait(queries_there, 0);
  for (int b = walk.begin; b < walk.end; ++b) {
    const int j0 = walk.first_key(b);
    float s[8][4], d[8][4];
    walked.arrive(b);
    const uint64_t k_tile = described(keys.stage(b)), v_tile = k_tile + columns_from(4 * S::parts);
    group_begin();
#pragma unroll
    for (int k = 0; k < Width / 16; ++k) group_multiply(s, q_tile + columns_from(k), k_tile + columns_from(k), k > 0);
    group_commit();
#pragma unroll
    for (int k = 0; k < Width / 16; ++k) group_multiply(d, g_tile + columns_from(k), v_tile + columns_from(k), k > 0);
    group_commit();
    group_wait_for<1>();
    keep_after_wait(s);
    const bool masked = is_masked(a, i0, j0);
#pragma unroll
    for (int t = 0; t < 8; ++t) {
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        const int i = mine + 8 * (e / 2), j = j0 + 8 * t + r.column() + e % 2;
        s[t][e] = power_of_two(s[t][e] * (Scaled ? scale * factors[e / 2] : scale) - log_sum[e / 2]);
        if (masked && !sees(a, i, j)) s[t][e] = 0;
      }
    }
    group_wait_for<0>();
    keep_after_wait(d);
    uint32_t slopes[4][4];
#pragma unroll
    for (int t = 0; t < 8; ++t) {
#pragma unroll
      for (int e = 0; e < 4; ++e) s[t][e] *= (d[t][e] - inner[e / 2]) * (Scaled ? factors[e / 2] : 1);
    }
    as_factors(slopes, s);
    group_begin();
#pragma unroll
    for (int k = 0; k < 4; ++k) {
#pragma unroll
      for (int part = 0; part < S::parts; ++part)
        group_multiply_rows(d_q[part], slopes[k], k_tile + rows_from(k, part));
    }
    group_commit();
    group_wait_for<0>();
#pragma unroll
    for (int part = 0; part < S::parts; ++part) keep_after_wait(d_q[part]);
    keys.leave(b);
  }
  walked.skip(walk.end, walk.blocks);

  if (Scaled && to.d_factors) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int i = mine + 8 * half;
      float sum = 0;
#pragma unroll
      for (int part = 0; part < S::parts; ++part) {
#pragma unroll
        for (int t = 0; t < 8; ++t) {
          const float2 q = unpack(*reinterpret_cast<const uint32_t*>(
              base + at + part * tile_bytes + tile_offset(r.line(half), 8 * t) + 2 * r.column()));
          sum += q.x * d_q[part][t][2 * half] + q.y * d_q[part][t][2 * half + 1];
        }
      }
      sum = quad_sum(sum);
      if (i >= r.n || r.lane % 4 != 0) continue;
      const float factor = factors[half];
      to.d_factors[static_cast<int64_t>(r.begin + i) * a.heads + head] = factor != 0 ? a.scale * sum / factor : 0;
    }
  }
  const int first_line = i0 + 16 * r.warp, stride = (a.heads + 2 * a.kv_heads) * Width;
#pragma unroll
  for (int part = 0; part < S::parts; ++part) {
#pragma unroll
    for (int t = 0; t < 8; ++t) {
#pragma unroll
      for (int e = 0; e < 4; ++e) d_q[part][t][e] *= a.scale;
    }
    rotate_values_back(a.rows, d_q[part], part, r.begin + mine, r.begin + r.n);
    bf16* gradient = static_cast<bf16*>(to.d_qkv) + static_cast<int64_t>(r.begin + first_line) * stride + head * Width;
    group_wait(1 + r.group);  // other warps may still read the tile
    store_values(base + at + part * tile_bytes, d_q[part], r, gradient + 64 * part, stride, r.n - first_line);
  }
}

template <int Width>
struct KeyShape {
  static constexpr int parts = Width / 64, groups = Width == 64 ? 3 : 2;
  static constexpr int keys = 64 * groups, threads = group_threads * groups;
  using Queries = Ring<3, 2 * parts>;
  static constexpr int owned = groups * parts * tile_bytes;  ///< bytes of the keys, and of the values
  static constexpr int barriers = (1 + Queries::barriers) * 8;
  static constexpr int bytes = 1024 + 2 * owned + Queries::bytes + barriers + groups * 2 * 3 * 64 * 4;
};

/// What a group needs to know of 64 queries: log-sum-exp, inner product, and factor. While one block is used, a thread
/// holds its part of the next block's in registers.
struct QueryNumbers {
  float* of;  ///< [2][3][64]
  float first, second;

  __device__ void load(const DeviceAttention& a, const AttentionGradient& to, const HopperRow& r, int head, int block,
                       bool scaled) {
    const int thread = threadIdx.x % group_threads, i = 64 * block + thread % 64;
    const int64_t at = static_cast<int64_t>(r.begin + i) * a.heads + head;
    const bool there = i < r.n;
    if (thread < 64) {
      first = there ? a.log_sum[at] * log2_e : INFINITY;
      second = there && scaled ? a.query_scale.of(at, head, i + 1) : 1;
    } else {
      first = there ? to.inner[at] : 0;
    }
  }
  /// Shows the numbers to the group. Returns where they are.
  __device__ const float* publish(const HopperRow& r, int number) {
    const int thread = threadIdx.x % group_threads;
    float* const now = of + number % 2 * 3 * 64;
    now[thread] = first;
    if (thread < 64) now[128 + thread] = second;
    group_wait(1 + r.group);
    return now;
  }
};

template <int Width, bool Scaled>
__global__ void __launch_bounds__(KeyShape<Width>::threads, 1)
    backward_keys(const DeviceAttention a, const AttentionGradient to, const __grid_constant__ CUtensorMap qkv,
                  const __grid_constant__ CUtensorMap d_out) {
  using S = KeyShape<Width>;
  extern __shared__ char memory[];
  const HopperRow r(a, blockIdx.x / a.kv_heads);
  const int kv_head = blockIdx.x % a.kv_heads, heads = a.heads / a.kv_heads;
  const int k0 = S::keys * blockIdx.y;
  if (k0 >= r.n) return;
  char* const base = aligned_memory(memory);
  const int at = r.group * S::parts * tile_bytes;
  const uint32_t keys = shared_address(base), values = keys + S::owned;
  const typename S::Queries queries{keys + 2 * S::owned, keys + 2 * S::owned + S::Queries::bytes + 8};
  const uint32_t keys_there = queries.barrier - 8;
  const int first = k0 / 64, end_query = a.window > 0 ? min(r.n, k0 + S::keys - 1 + a.window) : r.n;
  const int each = (end_query + 63) / 64 - first, blocks = heads * each;  // blocks of one head, and of all
  const auto fill = [&](int b, uint32_t stage, uint32_t barrier) {
    const int token = r.begin + 64 * (first + b % each), column = (kv_head * heads + b / each) * Width;
    copy_tokens<Width>(stage, &qkv, column, token, barrier);
    copy_tokens<Width>(stage + S::parts * tile_bytes, &d_out, column, token, barrier);
  };
  if (threadIdx.x == 0) {
    barrier_init(keys_there, 1);
    queries.init(4 * S::groups);
  }
  publish_barriers();
  if (threadIdx.x == 0) {
    barrier_expect(keys_there, 2 * S::owned);
    for (int g = 0; g < S::groups; ++g) {
      const int to_tile = g * S::parts * tile_bytes, token = r.begin + k0 + 64 * g;
      copy_tokens<Width>(keys + to_tile, &qkv, (a.heads + kv_head) * Width, token, keys_there);
      copy_tokens<Width>(values + to_tile, &qkv, (a.heads + a.kv_heads + kv_head) * Width, token, keys_there);
    }
    queries.begin(blocks, fill);
  }
  const int j0 = k0 + 64 * r.group, mine = j0 + r.line(0);
  const bool any = j0 < r.n;
  const float scale = a.scale * log2_e;
  const uint64_t k_tile = described(keys + at), v_tile = described(values + at);
  QueryNumbers numbers;
  numbers.of = reinterpret_cast<float*>(base + 2 * S::owned + S::Queries::bytes + S::barriers) + r.group * 2 * 3 * 64;
  numbers.load(a, to, r, kv_head * heads, first, Scaled);
  float d_k[S::parts][8][4] = {}, d_v[S::parts][8][4] = {};
  int published = 0;
  barrier_wait(keys_there, 0);
  for (int b = 0; b < blocks; ++b) {
    const int i0 = 64 * (first + b % each);
    const bool seen = any && i0 + 63 >= j0 && (a.window == 0 || i0 < j0 + 63 + a.window);
    const float* now = nullptr;
    if (seen) now = numbers.publish(r, published++);
    if (b + 1 < blocks) {
      numbers.load(a, to, r, kv_head * heads + (b + 1) / each, first + (b + 1) % each, Scaled);
    }
    if (threadIdx.x == 0) queries.refill(b, blocks, fill);
    __syncwarp();
    queries.wait(b);
    if (!seen) {
      queries.leave(b);
      continue;
    }
    const uint64_t q_tile = described(queries.stage(b)), g_tile = q_tile + columns_from(4 * S::parts);
    float s[8][4], d[8][4];
    group_begin();
#pragma unroll
    for (int k = 0; k < Width / 16; ++k) group_multiply(s, k_tile + columns_from(k), q_tile + columns_from(k), k > 0);
    group_commit();
#pragma unroll
    for (int k = 0; k < Width / 16; ++k) group_multiply(d, v_tile + columns_from(k), g_tile + columns_from(k), k > 0);
    group_commit();
    group_wait_for<1>();
    keep_after_wait(s);
    const bool masked = is_masked(a, i0, j0);
#pragma unroll
    for (int t = 0; t < 8; ++t) {
      const float2 log_sum = *reinterpret_cast<const float2*>(now + 8 * t + r.column());
      const float2 factor = Scaled ? *reinterpret_cast<const float2*>(now + 128 + 8 * t + r.column()) : float2{1, 1};
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        const int i = i0 + 8 * t + r.column() + e % 2, j = mine + 8 * (e / 2);
        const float times = Scaled ? scale * (e % 2 ? factor.y : factor.x) : scale;
        s[t][e] = power_of_two(s[t][e] * times - (e % 2 ? log_sum.y : log_sum.x));
        if (masked && !sees(a, i, j)) s[t][e] = 0;
      }
    }
    uint32_t weights[4][4], slopes[4][4];
    as_factors(weights, s);
    group_wait_for<0>();
    keep_after_wait(d);
#pragma unroll
    for (int t = 0; t < 8; ++t) {
      const float2 inner = *reinterpret_cast<const float2*>(now + 64 + 8 * t + r.column());
      const float2 factor = Scaled ? *reinterpret_cast<const float2*>(now + 128 + 8 * t + r.column()) : float2{1, 1};
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        s[t][e] *= d[t][e] - (e % 2 ? inner.y : inner.x);
        if (Scaled) s[t][e] *= e % 2 ? factor.y : factor.x;
      }
    }
    as_factors(slopes, s);
    group_begin();
#pragma unroll
    for (int k = 0; k < 4; ++k) {
#pragma unroll
      for (int part = 0; part < S::parts; ++part) {
        group_multiply_rows(d_v[part], weights[k], g_tile + rows_from(k, part));
        group_multiply_rows(d_k[part], slopes[k], q_tile + rows_from(k, part));
      }
    }
    group_commit();
    group_wait_for<0>();
#pragma unroll
    for (int part = 0; part < S::parts; ++part) {
      keep_after_wait(d_k[part]);
      keep_after_wait(d_v[part]);
    }
    queries.leave(b);
  }
  if (!any) return;

  group_wait(1 + r.group);  // other warps may still read the tiles
  const int first_line = j0 + 16 * r.warp, stride = (a.heads + 2 * a.kv_heads) * Width;
  bf16* const gradient =
      static_cast<bf16*>(to.d_qkv) + static_cast<int64_t>(r.begin + first_line) * stride + (a.heads + kv_head) * Width;
#pragma unroll
  for (int part = 0; part < S::parts; ++part) {
#pragma unroll
    for (int t = 0; t < 8; ++t) {
#pragma unroll
      for (int e = 0; e < 4; ++e) d_k[part][t][e] *= a.scale;
    }
    rotate_values_back(a.rows, d_k[part], part, r.begin + mine, r.begin + r.n);
    char* const tile = base + at + part * tile_bytes;
    store_values(tile, d_k[part], r, gradient + 64 * part, stride, r.n - first_line);
    store_values(tile, d_v[part], r, gradient + a.kv_heads * Width + 64 * part, stride, r.n - first_line);
  }
}

template <int Width, bool Scaled>
void launch(const DeviceAttention& a, const AttentionGradient& to, cudaStream_t stream) {
  using Q = QueryShape<Width>;
  using K = KeyShape<Width>;
  const CUtensorMap qkv = tile_source(a.qkv, a.rows.tokens, (a.heads + 2 * a.kv_heads) * Width);
  const CUtensorMap d_out = tile_source(to.d_out, a.rows.tokens, a.heads * Width);
  static_assert(Q::bytes <= most_shared && K::bytes <= most_shared);
  fits_shared(backward_queries<Width, Scaled>, Q::bytes);
  fits_shared(backward_keys<Width, Scaled>, K::bytes);
  const dim3 query_grid(a.rows.rows * a.heads, (a.rows.longest + Q::queries - 1) / Q::queries);
  const dim3 key_grid(a.rows.rows * a.kv_heads, (a.rows.longest + K::keys - 1) / K::keys);
  backward_queries<Width, Scaled><<<query_grid, Q::threads, Q::bytes, stream>>>(a, to, qkv, d_out);
  backward_keys<Width, Scaled><<<key_grid, K::threads, K::bytes, stream>>>(a, to, qkv, d_out);
}

}  // namespace

void hopper_backward(const DeviceAttention& a, const AttentionGradient& to, cudaStream_t stream) {
  const bool scaled = a.query_scale.active();
  if (a.width == 64) return scaled ? launch<64, true>(a, to, stream) : launch<64, false>(a, to, stream);
  scaled ? launch<128, true>(a, to, stream) : launch<128, false>(a, to, stream);
}

}  // namespace rfs
