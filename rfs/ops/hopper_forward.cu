// Attention for Hopper GPUs: the forward pass. A group owns 64 queries and walks over the keys from its own back to the
// first. The weights of one block of keys are multiplied with the values while the scores of the next are computed.

#include "rfs/ops/hopper_head.cuh"

namespace rfs {
namespace {

/// Two blocks per multiprocessor for narrow heads, so that one computes weights while the other multiplies.
template <int Width>
struct Shape {
  static constexpr int parts = Width / 64, groups = 2, blocks = Width == 64 ? 2 : 1, stages = Width == 64 ? 4 : 3;
  static constexpr int queries = 64 * groups, threads = group_threads * groups;
  using Keys = Ring<stages, 2 * parts>;
  static constexpr int query_bytes = groups * parts * tile_bytes;
  static constexpr int bytes = 1024 + query_bytes + Keys::bytes + (1 + Keys::barriers) * 8;
};

/// Softmax over blocks of scores, one after the other, for the two queries of a thread.
struct Softmax {
  float most[2] = {-INFINITY, -INFINITY}, total[2] = {0, 0}, shrink[2];

  /// Turns scores (not yet scaled) into weights relative to the highest score so far.
  __device__ void next(float (&s)[8][4], float scale) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      float higher = most[half];
#pragma unroll
      for (int t = 0; t < 8; ++t) higher = fmaxf(higher, fmaxf(s[t][2 * half], s[t][2 * half + 1]));
      higher = quad_max(higher);
      const float offset = higher * scale;
      shrink[half] = power_of_two(most[half] * scale - offset);
      most[half] = higher;
      float sum = 0;
#pragma unroll
      for (int t = 0; t < 8; ++t) {
#pragma unroll
        for (int e = 0; e < 2; ++e) {
          float& x = s[t][2 * half + e];
          x = power_of_two(x * scale - offset);
          sum += x;
        }
      }
      total[half] = total[half] * shrink[half] + sum;
    }
  }
  __device__ void shrink_output(float (&out)[8][4]) const {
#pragma unroll
    for (int t = 0; t < 8; ++t) {
#pragma unroll
      for (int e = 0; e < 4; ++e) out[t][e] *= shrink[e / 2];
    }
  }
};

template <int Width, bool Scaled>
__global__ void __launch_bounds__(Shape<Width>::threads, Shape<Width>::blocks)
    forward(const DeviceAttention a, const __grid_constant__ CUtensorMap qkv) {
  using S = Shape<Width>;
  extern __shared__ char memory[];
  const HopperRow r(a, blockIdx.x / a.heads);
  const int head = blockIdx.x % a.heads, kv_head = head / (a.heads / a.kv_heads);
  const int q0 = S::queries * (gridDim.y - 1 - blockIdx.y);  // start the blocks with the most keys first
  if (q0 >= r.n) return;
  char* const base = aligned_memory(memory);
  char* const my_queries = base + r.group * S::parts * tile_bytes;
  const typename S::Keys keys{shared_address(base) + S::query_bytes,
                              shared_address(base) + S::query_bytes + S::Keys::bytes + 8};
  const uint32_t queries_there = keys.barrier - 8;
  const KeyWalk walk(a, r, q0, S::queries);
  const WalkedKeys<Width, S::stages> walked{a, r, walk, keys, &qkv, kv_head};
  if (threadIdx.x == 0) {
    barrier_init(queries_there, 1);
    keys.init(4 * S::groups);
  }
  publish_barriers();
  if (threadIdx.x == 0) {
    barrier_expect(queries_there, S::query_bytes);
    for (int g = 0; g < S::groups; ++g) {
      copy_tokens<Width>(shared_address(base) + g * S::parts * tile_bytes, &qkv, head * Width, r.begin + q0 + 64 * g,
                         queries_there);
    }
    walked.start();
  }
  const int i0 = walk.i0, mine = i0 + r.line(0), begin = walk.begin, end = walk.end;
  walked.skip(0, min(begin, walk.blocks));
  if (!walk.any) return;

  barrier_wait(queries_there, 0);
  uint32_t q[Width / 16][4], p[4][4];
#pragma unroll
  for (int k = 0; k < Width / 16; ++k) {
    load_matrices(q[k], shared_address(my_queries) + k / 4 * tile_bytes +
                            tile_offset(16 * r.warp + (r.lane & 15), 16 * (k % 4) + (r.lane >> 4) * 8));
  }
  float factors[2] = {1, 1};
  if (Scaled) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int i = mine + 8 * half;
      if (i < r.n) factors[half] = a.query_scale.of(static_cast<int64_t>(r.begin + i) * a.heads + head, head, i + 1);
    }
  }
  const float scale = a.scale * log2_e;
  float out[S::parts][8][4] = {}, s[8][4];
  Softmax softmax;
  const auto start_scores = [&](int b) {
    const uint64_t k_tile = described(keys.stage(b));
#pragma unroll
    for (int k = 0; k < Width / 16; ++k) group_multiply(s, q[k], k_tile + columns_from(k), k > 0);
    group_commit();
  };
  const auto start_output = [&](int b) {
    const uint64_t v_tile = described(keys.stage(b) + S::parts * tile_bytes);
#pragma unroll
    for (int k = 0; k < 4; ++k) {
#pragma unroll
      for (int part = 0; part < S::parts; ++part) group_multiply_rows(out[part], p[k], v_tile + rows_from(k, part));
    }
    group_commit();
  };
  const auto finish_scores = [&](int b) {
    const int j0 = walk.first_key(b);
    if (Scaled) {
#pragma unroll
      for (int t = 0; t < 8; ++t) {
#pragma unroll
        for (int e = 0; e < 4; ++e) s[t][e] *= factors[e / 2];
      }
    }
    if (is_masked(a, i0, j0)) {
#pragma unroll
      for (int t = 0; t < 8; ++t) {
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          const int i = mine + 8 * (e / 2), j = j0 + 8 * t + r.column() + e % 2;
          if (!sees(a, i, j)) s[t][e] = -INFINITY;
        }
      }
    }
    softmax.next(s, scale);
  };

  // The first block has each query's own key, so the highest score is finite from then on.
  walked.arrive(begin);
  group_begin();
  start_scores(begin);
  group_wait_for<0>();
  keep_after_wait(s);
  finish_scores(begin);
  as_factors(p, s);
  for (int b = begin + 1; b < end; ++b) {
    walked.arrive(b);
    group_begin();
    start_scores(b);
    start_output(b - 1);
    group_wait_for<1>();
    keep_after_wait(s);
    finish_scores(b);
    group_wait_for<0>();
#pragma unroll
    for (int part = 0; part < S::parts; ++part) {
      keep_after_wait(out[part]);
      softmax.shrink_output(out[part]);
    }
    keys.leave(b - 1);
    as_factors(p, s);
  }
  group_begin();
  start_output(end - 1);
  group_wait_for<0>();
  keys.leave(end - 1);
  walked.skip(end, walk.blocks);

#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const int i = mine + 8 * half;
    const float sum = quad_sum(softmax.total[half]);
    softmax.shrink[half] = 1 / sum;
    if (i < r.n && r.lane % 4 == 0) {
      a.log_sum[static_cast<int64_t>(r.begin + i) * a.heads + head] = softmax.most[half] * a.scale + __logf(sum);
    }
  }
  const int first_line = i0 + 16 * r.warp;
#pragma unroll
  for (int part = 0; part < S::parts; ++part) {
    keep_after_wait(out[part]);
    softmax.shrink_output(out[part]);
    bf16* to = static_cast<bf16*>(a.out) + (static_cast<int64_t>(r.begin + first_line) * a.heads + head) * Width;
    store_values(my_queries + part * tile_bytes, out[part], r, to + 64 * part, a.heads * Width, r.n - first_line);
  }
}

template <int Width, bool Scaled>
void launch(const DeviceAttention& a, cudaStream_t stream) {
  using S = Shape<Width>;
  const dim3 grid(a.rows.rows * a.heads, (a.rows.longest + S::queries - 1) / S::queries);
  const CUtensorMap qkv = tile_source(a.qkv, a.rows.tokens, (a.heads + 2 * a.kv_heads) * Width);
  static_assert(S::bytes <= most_shared);
  fits_shared(forward<Width, Scaled>, S::bytes);
  forward<Width, Scaled><<<grid, S::threads, S::bytes, stream>>>(a, qkv);
}

}  // namespace

void hopper_forward(const DeviceAttention& a, cudaStream_t stream) {
  const bool scaled = a.query_scale.active();
  if (a.width == 64) return scaled ? launch<64, true>(a, stream) : launch<64, false>(a, stream);
  scaled ? launch<128, true>(a, stream) : launch<128, false>(a, stream);
}

}  // namespace rfs
