// Attention of one row and head at a time. Loops run over neighbouring elements and contain no reduction across them.
// So the compiler vectorizes them, and the order of all sums (and every bit) is fixed.
//
// Shapes: n tokens of the row, E dims per head, P rotated pairs.

#include "rfs/ops/attention_cpu.h"

#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include <cmath>
#include <vector>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)  // sanitizers: their code cannot run as early as the ifunc resolvers of the clones
#define RFS_FOR_EACH_CPU __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define RFS_FOR_EACH_CPU
#endif

namespace rfs {
namespace {

using torch::Tensor;

/// One row and head: pointers to its first token, strides between tokens.
template <class T>
struct Head {
  int64_t n, E, P;
  const T *q, *k, *v;
  int64_t stride;          // between tokens of q, k, v (and their gradients)
  const T *cos, *sin;      // [n, P]
  const float* positions;  // [n]
  T scale, slope;
  const T* bias;   // [n (n + 1) / 2] of this row and head; null for none
  T* d_bias;       // its gradient
  int64_t window;  // n if every token is visible
  const Dropout* dropout;
  size_t row, head;
  uint32_t site;

  int64_t first(int64_t i) const { return std::max<int64_t>(0, i + 1 - window); }
  static int64_t pair(int64_t i, int64_t j) { return i * (i + 1) / 2 + j; }

  double factor(int64_t i, int64_t j) const {
    return dropout->factor(
        row, site,
        Dropout::attention_index(head, static_cast<uint64_t>(n), static_cast<uint64_t>(i), static_cast<uint64_t>(j)));
  }
};

/// Rotated copies of the queries (times scale) and keys, transposed keys and values, and space for one row of scores.
template <class T>
struct Scratch {
  std::vector<T> q, k, kT, vT, score, other;
  std::vector<T> rotated;  // of the backward pass
  void resize(int64_t n, int64_t E) {
    for (auto* buffer : {&q, &k, &kT, &vT}) buffer->resize(static_cast<size_t>(n * E));
    score.resize(static_cast<size_t>(n));
    other.resize(static_cast<size_t>(n));
  }
};

#define RFS_INLINE inline __attribute__((always_inline))

template <class T>
RFS_INLINE void rotate_pairs(const T* __restrict from, const T* __restrict cos, const T* __restrict sin, int64_t P,
                             int64_t E, T scale, T* __restrict to) {
  for (int64_t p = 0; p < P; ++p) {
    const T a = from[2 * p], b = from[2 * p + 1];
    to[2 * p] = scale * (a * cos[p] - b * sin[p]);
    to[2 * p + 1] = scale * (a * sin[p] + b * cos[p]);
  }
  for (int64_t e = 2 * P; e < E; ++e) to[e] = scale * from[e];
}

template <class T>
RFS_INLINE void load(const Head<T>& h, Scratch<T>& s) {
  s.resize(h.n, h.E);
  for (int64_t i = 0; i < h.n; ++i) {
    const T *cos = h.cos + i * h.P, *sin = h.sin + i * h.P;
    rotate_pairs(h.q + i * h.stride, cos, sin, h.P, h.E, h.scale, s.q.data() + i * h.E);
    rotate_pairs(h.k + i * h.stride, cos, sin, h.P, h.E, T(1), s.k.data() + i * h.E);
  }
  for (int64_t e = 0; e < h.E; ++e) {
    for (int64_t j = 0; j < h.n; ++j) s.kT[static_cast<size_t>(e * h.n + j)] = s.k[static_cast<size_t>(j * h.E + e)];
  }
}

/// out[j] = sum_e a[e] bT[e, j] for j < count
template <class T>
RFS_INLINE void products(const T* __restrict a, const T* __restrict bT, int64_t E, int64_t n, int64_t count,
                         T* __restrict out) {
  for (int64_t j = 0; j < count; ++j) out[j] = 0;
  for (int64_t e = 0; e < E; ++e) {
    const T factor = a[e];
    const T* column = bT + e * n;
    for (int64_t j = 0; j < count; ++j) out[j] += factor * column[j];
  }
}

/// y += factor * x
template <class T>
RFS_INLINE void add(T factor, const T* __restrict x, int64_t E, T* __restrict y) {
  for (int64_t e = 0; e < E; ++e) y[e] += factor * x[e];
}

template <class T>
RFS_INLINE void scores(const Head<T>& h, const Scratch<T>& s, int64_t E, int64_t i, T* out) {
  const int64_t first = h.first(i);
  products(s.q.data() + i * E, s.kT.data() + first, E, h.n, i + 1 - first, out + first);
  if (h.slope != 0) {
    for (int64_t j = first; j <= i; ++j) out[j] -= h.slope * (T(h.positions[i]) - T(h.positions[j]));
  }
  if (h.bias) {
    for (int64_t j = first; j <= i; ++j) out[j] += h.bias[h.pair(i, j)];
  }
}

/// `E` equals h.E. It is a separate argument so that the compiler can unroll the common widths as constants.
template <class T>
RFS_INLINE void forward(const Head<T>& h, int64_t E, Scratch<T>& s, T* out, int64_t out_stride, T* log_sum,
                        int64_t log_stride) {
  load(h, s);
  for (int64_t i = 0; i < h.n; ++i) {
    T* weight = s.score.data();
    scores(h, s, E, i, weight);
    const int64_t first = h.first(i);
    T largest = weight[first], sum = 0;
    for (int64_t j = first + 1; j <= i; ++j) largest = std::max(largest, weight[j]);
    for (int64_t j = first; j <= i; ++j) weight[j] = std::exp(weight[j] - largest);
    for (int64_t j = first; j <= i; ++j) sum += weight[j];
    log_sum[i * log_stride] = largest + std::log(sum);
    T* o = out + i * out_stride;
    for (int64_t e = 0; e < E; ++e) o[e] = 0;
    for (int64_t j = first; j <= i; ++j) {
      T share = weight[j] / sum;
      if (h.dropout->active()) share *= static_cast<T>(h.factor(i, j));
      add(share, h.v + j * h.stride, E, o);
    }
  }
}

/// Position among the query heads that share a key head.
struct Place {
  bool first, last;
};

/// `rotated` holds the gradients of rotated queries and keys until they are rotated back. Those of keys are summed over
/// the heads that share them.
template <class T>
RFS_INLINE void backward(const Head<T>& h, int64_t E, Scratch<T>& s, std::vector<T>& rotated, Place place, const T* out,
                         const T* grad, int64_t out_stride, const T* log_sum, int64_t log_stride, T* dq, T* dk, T* dv) {
  load(h, s);
  for (int64_t e = 0; e < h.E; ++e) {
    for (int64_t j = 0; j < h.n; ++j) s.vT[static_cast<size_t>(e * h.n + j)] = h.v[j * h.stride + e];
  }
  rotated.resize(static_cast<size_t>(2 * h.n * h.E));
  T *dq_rotated = rotated.data(), *dk_rotated = dq_rotated + h.n * h.E;
  std::fill(dq_rotated, place.first ? dk_rotated + h.n * h.E : dk_rotated, T(0));
  for (int64_t i = 0; i < h.n; ++i) {
    T *weight = s.score.data(), *d_weight = s.other.data();
    const T *o = out + i * out_stride, *g = grad + i * out_stride, *q = s.q.data() + i * E;
    scores(h, s, E, i, weight);
    const int64_t first = h.first(i);
    products(g, s.vT.data() + first, E, h.n, i + 1 - first, d_weight + first);
    T inner = 0;  // sum over j of weight * d_weight, which equals the dot product of the output and its gradient
    for (int64_t e = 0; e < E; ++e) inner += o[e] * g[e];
    T* dq_i = dq_rotated + i * E;
    for (int64_t j = first; j <= i; ++j) {
      const T share = std::exp(weight[j] - log_sum[i * log_stride]);
      const T kept = h.dropout->active() ? static_cast<T>(h.factor(i, j)) : T(1);
      const T d_score = share * (d_weight[j] * kept - inner);
      add(share * kept, g, E, dv + j * h.stride);
      add(d_score, s.k.data() + j * E, E, dq_i);
      add(d_score, q, E, dk_rotated + j * E);
      if (h.bias) h.d_bias[h.pair(i, j)] = d_score;
    }
  }
  std::vector<T>& minus_sin = s.score;
  minus_sin.resize(static_cast<size_t>(std::max(h.n, h.P)));
  for (int64_t i = 0; i < h.n; ++i) {
    const T* cos = h.cos + i * h.P;
    for (int64_t p = 0; p < h.P; ++p) minus_sin[static_cast<size_t>(p)] = -h.sin[i * h.P + p];
    rotate_pairs(dq_rotated + i * h.E, cos, minus_sin.data(), h.P, h.E, h.scale, dq + i * h.stride);
    if (place.last) rotate_pairs(dk_rotated + i * h.E, cos, minus_sin.data(), h.P, h.E, T(1), dk + i * h.stride);
  }
}

template <class T>
RFS_INLINE void forward_any(const Head<T>& h, Scratch<T>& s, T* out, int64_t out_stride, T* log_sum,
                            int64_t log_stride) {
  if (h.E == 32) return forward(h, 32, s, out, out_stride, log_sum, log_stride);
  if (h.E == 64) return forward(h, 64, s, out, out_stride, log_sum, log_stride);
  forward(h, h.E, s, out, out_stride, log_sum, log_stride);
}

template <class T>
RFS_INLINE void backward_any(const Head<T>& h, Scratch<T>& s, std::vector<T>& t, Place p, const T* out, const T* grad,
                             int64_t os, const T* l, int64_t ls, T* dq, T* dk, T* dv) {
  if (h.E == 32) return backward(h, 32, s, t, p, out, grad, os, l, ls, dq, dk, dv);
  if (h.E == 64) return backward(h, 64, s, t, p, out, grad, os, l, ls, dq, dk, dv);
  backward(h, h.E, s, t, p, out, grad, os, l, ls, dq, dk, dv);
}

// One compiled copy of each loop per CPU type. The templates above are inlined into it.
RFS_FOR_EACH_CPU void run_forward(const Head<float>& h, Scratch<float>& s, float* out, int64_t os, float* l,
                                  int64_t ls) {
  forward_any(h, s, out, os, l, ls);
}
RFS_FOR_EACH_CPU void run_forward(const Head<double>& h, Scratch<double>& s, double* out, int64_t os, double* l,
                                  int64_t ls) {
  forward_any(h, s, out, os, l, ls);
}
RFS_FOR_EACH_CPU void run_backward(const Head<float>& h, Scratch<float>& s, std::vector<float>& t, Place p,
                                   const float* out, const float* grad, int64_t os, const float* l, int64_t ls,
                                   float* dq, float* dk, float* dv) {
  backward_any(h, s, t, p, out, grad, os, l, ls, dq, dk, dv);
}
RFS_FOR_EACH_CPU void run_backward(const Head<double>& h, Scratch<double>& s, std::vector<double>& t, Place p,
                                   const double* out, const double* grad, int64_t os, const double* l, int64_t ls,
                                   double* dq, double* dk, double* dv) {
  backward_any(h, s, t, p, out, grad, os, l, ls, dq, dk, dv);
}

/// Calls `body(head, scratch, first token, place)`. `place`: position among the heads that share a key head; these
/// heads follow one another.
template <class T, class Body>
void for_each_head(const Tensor& qkv_NK, const AttentionPlan& plan, uint32_t site, const Tensor& bias_HR,
                   Tensor* d_bias_HR, const Body& body) {
  const QkvLayout& layout = plan.layout;
  const int64_t rows = plan.offsets.size(0) - 1, E = layout.head_width, group = layout.group();
  const int64_t* offset = plan.offsets.data_ptr<int64_t>();
  const T* qkv = qkv_NK.const_data_ptr<T>();
  const bool rotates = plan.rotation.defined();
  const int64_t P = rotates ? plan.rotation.cos_NP.size(1) : 0;
  const T* cos = rotates ? plan.rotation.cos_NP.const_data_ptr<T>() : nullptr;
  const T* sin = rotates ? plan.rotation.sin_NP.const_data_ptr<T>() : nullptr;
  const float* positions = plan.positions_N.const_data_ptr<float>();
  std::vector<int64_t> pair_begin;
  if (bias_HR.defined()) pair_begin = CausalPairs::begins(plan.offsets);
  at::parallel_for(0, rows * layout.kv_heads, std::max<int64_t>(1, 4 / group), [&](int64_t begin, int64_t end) {
    Scratch<T> scratch;
    for (int64_t index = begin * group; index < end * group; ++index) {
      const int64_t row = index / layout.heads, head = index % layout.heads, first = offset[row];
      const int64_t n = offset[row + 1] - first;
      const T* token = qkv + first * layout.width();
      const int64_t pair =
          bias_HR.defined() ? head * bias_HR.size(1) + pair_begin[static_cast<size_t>(row)] : int64_t{0};
      const Head<T> h{.n = n,
                      .E = E,
                      .P = P,
                      .q = token + head * E,
                      .k = token + layout.key_begin() + head / group * E,
                      .v = token + layout.value_begin() + head / group * E,
                      .stride = layout.width(),
                      .cos = cos + first * P,
                      .sin = sin + first * P,
                      .positions = positions + first,
                      .scale = static_cast<T>(plan.scale),
                      .slope = plan.slopes_H.defined() ? plan.slopes_H.const_data_ptr<T>()[head] : T(0),
                      .bias = bias_HR.defined() ? bias_HR.const_data_ptr<T>() + pair : nullptr,
                      .d_bias = d_bias_HR ? d_bias_HR->data_ptr<T>() + pair : nullptr,
                      .window = plan.window > 0 ? plan.window : n,
                      .dropout = &plan.dropout,
                      .row = static_cast<size_t>(row),
                      .head = static_cast<size_t>(head),
                      .site = site};
      body(h, scratch, first, Place{head % group == 0, (head + 1) % group == 0});
    }
  });
}

template <class T>
void all_forward(const Tensor& qkv_NK, const AttentionPlan& plan, uint32_t site, const Tensor& bias_HR, Tensor& out,
                 Tensor& log_sum_NH) {
  const int64_t heads = plan.layout.heads, width = out.size(1);
  T *o = out.data_ptr<T>(), *l = log_sum_NH.data_ptr<T>();
  for_each_head<T>(qkv_NK, plan, site, bias_HR, nullptr, [&](const Head<T>& h, Scratch<T>& s, int64_t first, Place) {
    const auto head = static_cast<int64_t>(h.head);
    run_forward(h, s, o + first * width + head * h.E, width, l + first * heads + head, heads);
  });
}

template <class T>
void all_backward(const Tensor& qkv_NK, const AttentionPlan& plan, uint32_t site, const Tensor& bias_HR,
                  const Tensor& out, const Tensor& log_sum_NH, const Tensor& grad, Tensor& d_qkv_NK,
                  Tensor* d_bias_HR) {
  const int64_t heads = plan.layout.heads, width = out.size(1);
  const T *o = out.const_data_ptr<T>(), *g = grad.const_data_ptr<T>(), *l = log_sum_NH.const_data_ptr<T>();
  const T* qkv = qkv_NK.const_data_ptr<T>();
  T* d = d_qkv_NK.data_ptr<T>();
  const auto body = [&](const Head<T>& h, Scratch<T>& s, int64_t first, Place place) {
    const auto head = static_cast<int64_t>(h.head);
    const int64_t at = first * width + head * h.E;
    run_backward(h, s, s.rotated, place, o + at, g + at, width, l + first * heads + head, heads, d + (h.q - qkv),
                 d + (h.k - qkv), d + (h.v - qkv));
  };
  for_each_head<T>(qkv_NK, plan, site, bias_HR, d_bias_HR, body);
}

struct FusedAttention : torch::autograd::Function<FusedAttention> {
  static Tensor forward(torch::autograd::AutogradContext* context, const Tensor& qkv, const std::optional<Tensor>& bias,
                        const AttentionPlan& plan, int64_t site) {
    const Tensor qkv_NK = qkv.contiguous(), bias_HR = bias ? bias->contiguous() : Tensor();
    const auto [out, log_sum_NH] = attention_cpu_forward(qkv_NK, plan, static_cast<uint32_t>(site), bias_HR);
    context->save_for_backward({qkv_NK, bias_HR, out, log_sum_NH});
    // The plan's tensors carry no gradient. A copy of the plan lives as long as the autograd graph.
    context->saved_data["plan"] = c10::IValue::make_capsule(c10::make_intrusive<Held>(plan));
    context->saved_data["site"] = site;
    return out;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& gradients) {
    const auto saved = context->get_saved_variables();
    const auto held = context->saved_data["plan"].toCapsule();
    const AttentionPlan& plan = static_cast<const Held*>(held.get())->plan;
    const auto site = static_cast<uint32_t>(context->saved_data["site"].toInt());
    const auto [d_qkv, d_bias] =
        attention_cpu_backward(saved[0], plan, site, saved[2], saved[3], gradients[0], saved[1]);
    return {d_qkv, d_bias, Tensor(), Tensor()};
  }

  struct Held : torch::CustomClassHolder {
    explicit Held(const AttentionPlan& p) : plan(p) {}
    AttentionPlan plan;
  };
};

}  // namespace

std::tuple<Tensor, Tensor> attention_cpu_forward(const Tensor& qkv, const AttentionPlan& plan, uint32_t site,
                                                 const Tensor& bias) {
  const Tensor qkv_NK = qkv.contiguous(), bias_HR = bias.defined() ? bias.contiguous() : bias;
  Tensor out = torch::empty({qkv_NK.size(0), plan.layout.query_width()}, qkv_NK.options());
  Tensor log_sum_NH = torch::empty({qkv_NK.size(0), plan.layout.heads}, qkv_NK.options());
  if (qkv_NK.scalar_type() == torch::kFloat32) {
    all_forward<float>(qkv_NK, plan, site, bias_HR, out, log_sum_NH);
  } else {
    all_forward<double>(qkv_NK, plan, site, bias_HR, out, log_sum_NH);
  }
  return {out, log_sum_NH};
}

std::tuple<Tensor, Tensor> attention_cpu_backward(const Tensor& qkv, const AttentionPlan& plan, uint32_t site,
                                                  const Tensor& out, const Tensor& log_sum_NH, const Tensor& d_out,
                                                  const Tensor& bias) {
  const Tensor qkv_NK = qkv.contiguous(), gradient = d_out.contiguous(),
               bias_HR = bias.defined() ? bias.contiguous() : bias;
  Tensor d_qkv_NK = torch::zeros_like(qkv_NK);
  Tensor d_bias_HR = bias_HR.defined() ? torch::zeros_like(bias_HR) : Tensor();
  Tensor* d_bias = bias_HR.defined() ? &d_bias_HR : nullptr;
  if (gradient.scalar_type() == torch::kFloat32) {
    all_backward<float>(qkv_NK, plan, site, bias_HR, out, log_sum_NH, gradient, d_qkv_NK, d_bias);
  } else {
    all_backward<double>(qkv_NK, plan, site, bias_HR, out, log_sum_NH, gradient, d_qkv_NK, d_bias);
  }
  return {d_qkv_NK, d_bias_HR};
}

Tensor attention_cpu(const Tensor& qkv_NK, const AttentionPlan& plan, uint32_t site, const Tensor& bias_HR) {
  const auto bias = bias_HR.defined() ? std::optional<Tensor>(bias_HR) : std::nullopt;
  return FusedAttention::apply(qkv_NK, bias, plan, static_cast<int64_t>(site));
}

}  // namespace rfs
