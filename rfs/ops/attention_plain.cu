// One warp per query, or per key for the gradients of keys and values. A lane holds pairs of neighbouring dims, 64 dims
// apart.

#include "rfs/ops/attention_launch.h"
#include "rfs/ops/device.cuh"

namespace rfs {
namespace {

constexpr int warps = 4;

template <class T, int C>
struct Head {
  const DeviceAttention& a;
  int row, head, kv_head, begin, n, lane;
  float slope;

  __device__ Head(const DeviceAttention& arguments)
      : a(arguments),
        row(blockIdx.x / arguments.heads),
        head(blockIdx.x % arguments.heads),
        kv_head(head / (arguments.heads / arguments.kv_heads)),
        begin(arguments.rows.offsets[row]),
        n(arguments.rows.offsets[row + 1] - begin),
        lane(threadIdx.x % 32),
        slope(arguments.slopes ? arguments.slopes[head] : 0) {}

  __device__ bool has(int c) const { return 2 * (lane + 32 * c) < a.width; }
  __device__ int64_t at(int i, int part, int c) const {
    const int column = part == 0 ? head : a.heads + (part - 1) * a.kv_heads + kv_head;
    return (static_cast<int64_t>(begin + i) * (a.heads + 2 * a.kv_heads) + column) * a.width + 2 * (lane + 32 * c);
  }
  __device__ int64_t out_at(int i, int c) const {
    return static_cast<int64_t>(begin + i) * a.heads * a.width + head * a.width + 2 * (lane + 32 * c);
  }

  __device__ static float2 pair(const T* from) { return make_float2(to_float(from[0]), to_float(from[1])); }

  /// The pair rotated by the token's angle (direction 1), or back (direction -1).
  __device__ float2 rotated(float2 x, int i, int c, float direction) const {
    const int p = lane + 32 * c;
    if (p >= a.rows.pairs) return x;
    const int64_t at = static_cast<int64_t>(begin + i) * a.rows.pairs + p;
    const float cosine = a.rows.cos[at], sine = direction * a.rows.sin[at];
    return make_float2(x.x * cosine - x.y * sine, x.x * sine + x.y * cosine);
  }

  __device__ int64_t per_head(int i) const { return static_cast<int64_t>(begin + i) * a.heads + head; }
  __device__ float query_factor(int i) const {
    return a.query_scale.active() ? a.query_scale.of(per_head(i), head, i + 1) : 1;
  }
  __device__ int64_t bias_at(int i) const {
    return (static_cast<int64_t>(head) * a.rows.tokens + begin + i) * a.rows.longest;
  }
  __device__ int first_key(int i) const { return a.window > 0 ? max(0, i - a.window + 1) : 0; }
  __device__ int end_query(int j) const { return a.window > 0 ? min(n, j + a.window) : n; }

  __device__ void load(int i, int part, float2 (&x)[C]) const {
    const float factor = part == 0 ? query_factor(i) : 1;
#pragma unroll
    for (int c = 0; c < C; ++c) {
      x[c] = make_float2(0, 0);
      if (!has(c)) continue;
      x[c] = pair(static_cast<const T*>(a.qkv) + at(i, part, c));
      if (part < 2) x[c] = rotated(x[c], i, c, 1);
      x[c].x *= factor, x[c].y *= factor;
    }
  }
  __device__ void load_out(const void* from, int i, float2 (&x)[C]) const {
#pragma unroll
    for (int c = 0; c < C; ++c) {
      x[c] = has(c) ? pair(static_cast<const T*>(from) + out_at(i, c)) : make_float2(0, 0);
    }
  }
  /// With grouped heads, the gradients of keys and values are added up later.
  __device__ T* gradient_at(const AttentionGradient& to, int i, int part, int c) const {
    if (part == 0 || a.kv_heads == a.heads) return static_cast<T*>(to.d_qkv) + at(i, part, c);
    const int64_t row = (static_cast<int64_t>(begin + i) * 2 + part - 1) * a.heads + head;
    return static_cast<T*>(to.d_heads) + row * a.width + 2 * (lane + 32 * c);
  }
  __device__ void store(const AttentionGradient& to, int i, int part, const float2 (&x)[C], float factor) const {
    const bool scaled = part == 0 && a.query_scale.active();
    const float times = scaled ? query_factor(i) : 1;
    float inner = 0;
#pragma unroll
    for (int c = 0; c < C; ++c) {
      if (!has(c)) continue;
      const float2 y = part < 2 ? rotated(x[c], i, c, -1) : x[c];
      if (scaled) {
        const float2 query = pair(static_cast<const T*>(a.qkv) + at(i, 0, c));
        inner += factor * (query.x * y.x + query.y * y.y);
      }
      T* at = gradient_at(to, i, part, c);
      at[0] = from_float<T>(times * factor * y.x);
      at[1] = from_float<T>(times * factor * y.y);
    }
    if (!scaled) return;
    inner = warp_sum(inner);
    if (lane == 0) to.d_factors[per_head(i)] = inner;
  }
  __device__ static float dot(const float2 (&x)[C], const float2 (&y)[C]) {
    float sum = 0;
#pragma unroll
    for (int c = 0; c < C; ++c) sum += x[c].x * y[c].x + x[c].y * y[c].y;
    return warp_sum(sum);
  }
  __device__ static void add(float factor, const float2 (&x)[C], float2 (&y)[C]) {
#pragma unroll
    for (int c = 0; c < C; ++c) y[c].x += factor * x[c].x, y[c].y += factor * x[c].y;
  }
  __device__ float score(const float2 (&q)[C], const float2 (&k)[C], int i, int j) const {
    const float* p = a.rows.positions + begin;
    const float score = a.scale * dot(q, k) - (slope != 0 ? slope * (p[i] - p[j]) : 0);
    return a.bias ? score + a.bias[bias_at(i) + j] : score;
  }
  __device__ float factor(int i, int j) const {
    if (a.dropout.threshold == 0) return 1;
    const uint64_t index = attention_dropout_index(head, n, i, j);
    const uint4 words = dropout_words(a.dropout, a.rows.samples[row], a.site, index / 8);
    const int half = static_cast<int>(index % 8);
    const float2 both = dropout_pair(a.dropout, half < 2 ? words.x : half < 4 ? words.y : half < 6 ? words.z : words.w);
    return half % 2 ? both.y : both.x;
  }
};

template <class T, int C>
__global__ void __launch_bounds__(32 * warps) forward(const DeviceAttention a) {
  const Head<T, C> h(a);
  for (int i = blockIdx.y * warps + threadIdx.x / 32; i < h.n; i += gridDim.y * warps) {
    float2 q[C], k[C], v[C], out[C] = {};
    h.load(i, 0, q);
    float most = -INFINITY, total = 0;
    for (int j = h.first_key(i); j <= i; ++j) {
      h.load(j, 1, k);
      h.load(j, 2, v);
      const float score = h.score(q, k, i, j), higher = fmaxf(most, score);
      const float shrink = __expf(most - higher), weight = __expf(score - higher);
      total = total * shrink + weight;
#pragma unroll
      for (int c = 0; c < C; ++c) out[c].x *= shrink, out[c].y *= shrink;
      h.add(weight * h.factor(i, j), v, out);
      most = higher;
    }
    T* to = static_cast<T*>(a.out);
#pragma unroll
    for (int c = 0; c < C; ++c) {
      if (!h.has(c)) continue;
      to[h.out_at(i, c)] = from_float<T>(out[c].x / total);
      to[h.out_at(i, c) + 1] = from_float<T>(out[c].y / total);
    }
    if (h.lane == 0) a.log_sum[static_cast<int64_t>(h.begin + i) * a.heads + h.head] = most + logf(total);
  }
}

template <class T, int C>
__global__ void __launch_bounds__(32 * warps) backward(const DeviceAttention a, const AttentionGradient to) {
  const Head<T, C> h(a);
  const bool of_query = blockIdx.z == 0;
  for (int mine = blockIdx.y * warps + threadIdx.x / 32; mine < h.n; mine += gridDim.y * warps) {
    float2 q[C], k[C], v[C], o[C], g[C], d_first[C] = {}, d_second[C] = {};
    const int begin = of_query ? h.first_key(mine) : mine, end = of_query ? mine + 1 : h.end_query(mine);
    if (of_query) {
      h.load(mine, 0, q);
      h.load_out(a.out, mine, o);
      h.load_out(to.d_out, mine, g);
    } else {
      h.load(mine, 1, k);
      h.load(mine, 2, v);
    }
    for (int other = begin; other < end; ++other) {
      const int i = of_query ? mine : other, j = of_query ? other : mine;
      if (of_query) {
        h.load(j, 1, k);
        h.load(j, 2, v);
      } else {
        h.load(i, 0, q);
        h.load_out(a.out, i, o);
        h.load_out(to.d_out, i, g);
      }
      const float log_sum = a.log_sum[static_cast<int64_t>(h.begin + i) * a.heads + h.head];
      const float weight = __expf(h.score(q, k, i, j) - log_sum), kept = h.factor(i, j);
      const float d_score = weight * (h.dot(g, v) * kept - h.dot(o, g));
      if (of_query) {
        if (a.bias && h.lane == 0) to.d_bias[h.bias_at(i) + j] = d_score;
        h.add(d_score, k, d_first);
      } else {
        h.add(d_score, q, d_first);
        h.add(weight * kept, g, d_second);
      }
    }
    h.store(to, mine, of_query ? 0 : 1, d_first, a.scale);
    if (!of_query) h.store(to, mine, 2, d_second, 1);
  }
}

/// Adds up the gradients of keys and values over grouped heads: d_qkv = sum of d_heads over a group. A thread handles
/// eight dims.
template <class T>
__global__ void __launch_bounds__(most_row_threads) add_groups(const DeviceAttention a, const AttentionGradient to) {
  const int token = blockIdx.x * blockDim.y + threadIdx.y, group = a.heads / a.kv_heads, inner = a.kv_heads * a.width;
  if (token >= a.rows.tokens) return;
  for (int column = 8 * threadIdx.x; column < 2 * inner; column += 8 * blockDim.x) {
    const int part = column / inner, head = column % inner / a.width, dim = column % a.width;
    const int64_t first = (static_cast<int64_t>(token) * 2 + part) * a.heads + head * group;
    float sum[8] = {};
    for (int member = 0; member < group; ++member) {
      float x[8];
      load8(static_cast<const T*>(to.d_heads) + (first + member) * a.width + dim, x);
#pragma unroll
      for (int k = 0; k < 8; ++k) sum[k] += x[k];
    }
    const int64_t row = static_cast<int64_t>(token) * (a.heads + 2 * a.kv_heads) + a.heads;
    store8(static_cast<T*>(to.d_qkv) + row * a.width + column, sum);
  }
}

template <class Body>
void for_kinds(const DeviceAttention& a, Body body) {
  for_dtype(a.dtype, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    if (a.width <= 64) return body(type, std::integral_constant<int, 1>());
    if (a.width <= 128) return body(type, std::integral_constant<int, 2>());
    body(type, std::integral_constant<int, 4>());
  });
}

unsigned slices(const DeviceAttention& a) {
  return static_cast<unsigned>(min((a.rows.longest + warps - 1) / warps, 65535));
}

}  // namespace

void attention_plain_forward(const DeviceAttention& a, cudaStream_t stream) {
  for_kinds(a, [&](auto* type, auto pairs) {
    using T = std::remove_pointer_t<decltype(type)>;
    forward<T, decltype(pairs)::value><<<dim3(a.rows.rows * a.heads, slices(a)), 32 * warps, 0, stream>>>(a);
  });
}

void attention_plain_backward(const DeviceAttention& a, const AttentionGradient& to, cudaStream_t stream) {
  for_kinds(a, [&](auto* type, auto pairs) {
    using T = std::remove_pointer_t<decltype(type)>;
    backward<T, decltype(pairs)::value><<<dim3(a.rows.rows * a.heads, slices(a), 2), 32 * warps, 0, stream>>>(a, to);
  });
}

void attention_forward(const DeviceAttention& a, cudaStream_t stream) {
  const bool tiles = a.dtype == DType::bf16 && a.width == 64;
  tiles ? attention_tiles_forward(a, stream) : attention_plain_forward(a, stream);
}

void attention_backward(const DeviceAttention& a, const AttentionGradient& to, cudaStream_t stream) {
  const bool tiles = a.dtype == DType::bf16 && a.width == 64;
  tiles ? attention_tiles_backward(a, to, stream) : attention_plain_backward(a, to, stream);
  if (a.kv_heads == a.heads) return;
  for_dtype(a.dtype, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    const int pieces = 2 * a.kv_heads * a.width / 8;
    add_groups<T><<<row_blocks(a.rows.tokens, pieces), row_threads(pieces), 0, stream>>>(a, to);
  });
}

}  // namespace rfs
