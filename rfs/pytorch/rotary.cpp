// RoPE as a PyTorch operator: rotates queries and keys by their positions. Gradients flow to both, not to positions.
//
// Shapes: N tokens, H heads, E dims per head, P rotated pairs.

#include "rfs/ops/rotary.h"

#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include "rfs/pytorch/arguments.h"

namespace rfs {
namespace {

using torch::Tensor;
using Pair = std::tuple<Tensor, Tensor>;

/// Layout of a pair's two dims: neighbours (2k, 2k + 1), or k and k + P as in the GPT-NeoX and Llama of `transformers`.
struct Layout {
  int64_t step, gap;
};

Layout layout(c10::string_view pairs, int64_t count) {
  TORCH_CHECK_VALUE(pairs == "neighbours" || pairs == "halves",
                    "rotary: pairs must be one of neighbours, halves, got '", pairs, "'");
  return pairs == "halves" ? Layout{1, count} : Layout{2, 1};
}

template <class T>
void rotate(const T* x, const T* cos, const T* sin, int64_t tokens, int64_t heads, int64_t E, int64_t P, Layout at,
            T* out) {
  at::parallel_for(0, tokens, 64, [&](int64_t begin, int64_t end) {
    for (int64_t n = begin; n < end; ++n) {
      const T *c = cos + n * P, *s = sin + n * P;
      for (int64_t h = 0; h < heads; ++h) {
        const T* from = x + (n * heads + h) * E;
        T* to = out + (n * heads + h) * E;
        for (int64_t p = 0; p < P; ++p) {
          const T a = from[p * at.step], b = from[p * at.step + at.gap];
          to[p * at.step] = a * c[p] - b * s[p];
          to[p * at.step + at.gap] = a * s[p] + b * c[p];
        }
        for (int64_t e = 2 * P; e < E; ++e) to[e] = from[e];
      }
    }
  });
}

/// One pass on the CPU. On other devices and for other types it is composed of LibTorch operations.
Tensor rotated(const Tensor& x, const Rotation& rotation, Layout at) {
  const int64_t heads = x.size(-2), E = x.size(-1), P = rotation.cos_NP.size(1), tokens = rotation.cos_NP.size(0);
  const Tensor from = x.contiguous();
  if (x.device().is_cpu() && (x.scalar_type() == torch::kFloat32 || x.scalar_type() == torch::kFloat64)) {
    Tensor out = torch::empty_like(from);
    const auto run = [&]<class T>(T) {
      rotate(from.const_data_ptr<T>(), rotation.cos_NP.const_data_ptr<T>(), rotation.sin_NP.const_data_ptr<T>(), tokens,
             heads, E, P, at, out.data_ptr<T>());
    };
    x.scalar_type() == torch::kFloat32 ? run(0.f) : run(0.0);
    return out;
  }
  Tensor out = from.clone();
  const Tensor from_NHE = from.view({tokens, heads, E}), out_NHE = out.view({tokens, heads, E});
  const auto first = [&](const Tensor& t) { return t.slice(2, 0, at.step * P, at.step); };
  const auto second = [&](const Tensor& t) { return t.slice(2, at.gap, at.gap + at.step * P, at.step); };
  const Tensor a = first(from_NHE), b = second(from_NHE);
  const Tensor cos = rotation.cos_NP.unsqueeze(1), sin = rotation.sin_NP.unsqueeze(1);
  first(out_NHE).copy_(a * cos - b * sin);
  second(out_NHE).copy_(a * sin + b * cos);
  return out;
}

/// Checks that also hold for fake tensors.
void check(const Tensor& q, const Tensor& k, const Tensor& positions) {
  TORCH_CHECK_VALUE(q.device() == k.device() && q.device() == positions.device(),
                    "rotary: q, k and positions must be on one device, got ", q.device(), ", ", k.device(), " and ",
                    positions.device());
  TORCH_CHECK_VALUE(positions.is_floating_point(), "rotary: positions must be floats, got ", positions.scalar_type());
  for (const Tensor& x : {q, k}) {
    TORCH_CHECK_VALUE(x.is_floating_point() && x.scalar_type() == q.scalar_type(),
                      "rotary: q and k must be floats of the same type, got ", q.scalar_type(), " and ",
                      k.scalar_type());
    TORCH_CHECK_VALUE(x.dim() == positions.dim() + 2,
                      "rotary: q and k must be [..., heads, width] if positions are "
                      "[...], got ",
                      x.dim(), " dims for positions with ", positions.dim());
    for (int64_t d = 0; d < positions.dim(); ++d) {
      TORCH_SYM_CHECK(x.sym_size(d).sym_eq(positions.sym_size(d)),
                      "rotary: q, k and positions must have the same size, got ", x.sym_size(d), " and ",
                      positions.sym_size(d), " in dim ", d);
    }
  }
  TORCH_SYM_CHECK(q.sym_size(-1).sym_eq(k.sym_size(-1)), "rotary: heads of q and k must have the same width, got ",
                  q.sym_size(-1), " and ", k.sym_size(-1));
}

Pair rotary(const Tensor& q, const Tensor& k, const Tensor& positions, double base, double share,
            c10::string_view pairs) {
  check(q, k, positions);
  const auto turns = rope_frequencies("rotary", q.size(-1), base, share);
  const Layout at = layout(pairs, static_cast<int64_t>(turns.size()));
  if (turns.empty()) return {q.clone(at::MemoryFormat::Contiguous), k.clone(at::MemoryFormat::Contiguous)};
  const Rotation by = rotation(positions.reshape({-1}), turns, q.scalar_type());
  return {rotated(q, by, at), rotated(k, by, at)};
}

Pair rotary_fake(const Tensor& q, const Tensor& k, const Tensor& positions, double, double, c10::string_view) {
  check(q, k, positions);
  return {torch::empty_symint(q.sym_sizes(), q.options()), torch::empty_symint(k.sym_sizes(), k.options())};
}

Pair dispatched(const Tensor& q, const Tensor& k, const Tensor& positions, double base, double share,
                c10::string_view pairs) {
  static const auto op = c10::Dispatcher::singleton().findSchemaOrThrow("rfs::rotary", "").typed<decltype(rotary)>();
  return op.call(q, k, positions, base, share, pairs);
}

/// The gradient of a rotation is the rotation back. It is computed by the operator itself, so it is differentiable,
/// too.
struct Rotary : torch::autograd::Function<Rotary> {
  static torch::autograd::variable_list forward(torch::autograd::AutogradContext* context, const Tensor& q,
                                                const Tensor& k, const Tensor& positions, double base, double share,
                                                const std::string& pairs) {
    const at::AutoDispatchBelowADInplaceOrView below;
    context->save_for_backward({positions});
    context->saved_data["base"] = base;
    context->saved_data["share"] = share;
    context->saved_data["pairs"] = pairs;
    const auto [q_out, k_out] = dispatched(q, k, positions, base, share, pairs);
    return {q_out, k_out};
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& gradients) {
    auto& saved = context->saved_data;
    const auto [d_q, d_k] =
        dispatched(gradients[0], gradients[1], context->get_saved_variables()[0].neg(), saved["base"].toDouble(),
                   saved["share"].toDouble(), saved["pairs"].toStringRef());
    return {d_q, d_k, Tensor(), Tensor(), Tensor(), Tensor()};
  }
};

Pair rotary_autograd(const Tensor& q, const Tensor& k, const Tensor& positions, double base, double share,
                     c10::string_view pairs) {
  TORCH_CHECK_VALUE(!positions.requires_grad(),
                    "rotary: positions must not require a gradient; none is computed for them");
  const auto out = Rotary::apply(q, k, positions, base, share, std::string(pairs));
  return {out[0], out[1]};
}

}  // namespace

TORCH_LIBRARY_FRAGMENT(rfs, library) {
  library.def(
      "rotary(Tensor q, Tensor k, Tensor positions, *, float base=10000., float share=1., str pairs='neighbours') "
      "-> (Tensor, Tensor)");
}
TORCH_LIBRARY_IMPL(rfs, CompositeExplicitAutograd, library) {
  library.impl("rotary", rotary);
}
TORCH_LIBRARY_IMPL(rfs, Meta, library) {
  library.impl("rotary", rotary_fake);
}
TORCH_LIBRARY_IMPL(rfs, Autograd, library) {
  library.impl("rotary", rotary_autograd);
}

}  // namespace rfs
