// Fused causal attention over packed rows as a PyTorch operator, on the CPU. Rotation and ALiBi's slopes are part of
// it. Gradients flow to qkv, not to positions.
//
// Shapes: N tokens, H heads.

#include <torch/csrc/autograd/autograd_not_implemented_fallback.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include <cmath>

#include "rfs/encodings/encoding.h"
#include "rfs/ops/attention_cpu.h"
#include "rfs/pytorch/arguments.h"

namespace rfs {
namespace {

using torch::Tensor;

/// The arguments of both passes, in the order of the operator's schema.
#define RFS_ATTENTION_ARGUMENTS                                                                                \
  const Tensor &qkv, const Tensor &offsets, const Tensor &positions, int64_t heads, double base, double share, \
      bool alibi, std::optional<double> scale

void check(const Tensor& qkv, const Tensor& positions, int64_t heads) {
  TORCH_CHECK_VALUE(qkv.scalar_type() == torch::kFloat32 || qkv.scalar_type() == torch::kFloat64,
                    "attention: qkv must be float32 or float64, got ", qkv.scalar_type());
  TORCH_CHECK_VALUE(heads > 0, "attention: heads must be at least 1, got ", heads);
  TORCH_CHECK_VALUE(qkv.dim() == 2 && qkv.sym_size(1) % (3 * heads) == 0,
                    "attention: qkv must be [tokens, 3 * heads * width], got ", qkv.sym_sizes(), " for ", heads,
                    " heads");
  TORCH_CHECK_VALUE(positions.is_floating_point() && positions.dim() == 1,
                    "attention: positions must be floats [tokens]");
  TORCH_SYM_CHECK(positions.sym_size(0).sym_eq(qkv.sym_size(0)),
                  "attention: qkv and positions must have the same number of tokens, "
                  "got ",
                  qkv.sym_size(0), " and ", positions.sym_size(0));
}

AttentionPlan plan_of(RFS_ATTENTION_ARGUMENTS) {
  check(qkv, positions, heads);
  TORCH_CHECK_VALUE(qkv.device().is_cpu() && positions.device().is_cpu(),
                    "attention: qkv and positions must be on the CPU, got ", qkv.device(), " and ", positions.device());
  const int64_t width = qkv.size(1) / (3 * heads);
  AttentionPlan plan;
  plan.offsets = checked_offsets("attention", offsets);
  const int64_t end = plan.offsets[-1].item<int64_t>();
  TORCH_CHECK_VALUE(end == qkv.size(0), "attention: offsets must end at the number of tokens, ", qkv.size(0), ", got ",
                    end);
  plan.positions_N = positions.to(torch::kFloat32).contiguous();
  plan.rotation = rotation(plan.positions_N, rope_frequencies("attention", width, base, share), qkv.scalar_type());
  if (alibi) {
    const auto encoding = Registry<PositionEncoding>::find("alibi", "attention");
    plan.slopes_H =
        torch::tensor(encoding.make(*encoding.options())->slopes(heads), torch::kFloat64).to(qkv.scalar_type());
  }
  plan.layout = {heads, heads, width};
  plan.scale = scale.value_or(1 / std::sqrt(static_cast<double>(width)));
  return plan;
}

std::tuple<Tensor, Tensor> forward(RFS_ATTENTION_ARGUMENTS) {
  return attention_cpu_forward(qkv, plan_of(qkv, offsets, positions, heads, base, share, alibi, scale), 0);
}

std::tuple<Tensor, Tensor> forward_fake(RFS_ATTENTION_ARGUMENTS) {
  (void)offsets, (void)base, (void)share, (void)alibi, (void)scale;
  check(qkv, positions, heads);
  return {torch::empty_symint({qkv.sym_size(0), qkv.sym_size(1) / 3}, qkv.options()),
          torch::empty_symint({qkv.sym_size(0), heads}, qkv.options())};
}

Tensor backward(const Tensor& d_out, const Tensor& out, const Tensor& log_sums, RFS_ATTENTION_ARGUMENTS) {
  const auto plan = plan_of(qkv, offsets, positions, heads, base, share, alibi, scale);
  const auto fits = [&](const Tensor& x, int64_t columns) {
    return x.device().is_cpu() && x.scalar_type() == qkv.scalar_type() &&
           x.sizes() == at::IntArrayRef({qkv.size(0), columns});
  };
  TORCH_CHECK_VALUE(fits(d_out, qkv.size(1) / 3) && fits(out, qkv.size(1) / 3) && fits(log_sums, heads),
                    "attention_backward: d_out, out and log_sums must match the results of attention_forward");
  return std::get<0>(attention_cpu_backward(qkv, plan, 0, out.contiguous(), log_sums.contiguous(), d_out));
}

Tensor backward_fake(const Tensor&, const Tensor&, const Tensor&, RFS_ATTENTION_ARGUMENTS) {
  (void)offsets, (void)positions, (void)heads, (void)base, (void)share, (void)alibi, (void)scale;
  return torch::empty_symint(qkv.sym_sizes(), qkv.options());
}

template <class Signature>
auto operator_named(const char* name) {
  return c10::Dispatcher::singleton().findSchemaOrThrow(name, "").typed<Signature>();
}

struct Attention : torch::autograd::Function<Attention> {
  static torch::autograd::variable_list forward(torch::autograd::AutogradContext* context, const Tensor& qkv,
                                                const Tensor& offsets, const Tensor& positions, int64_t heads,
                                                double base, double share, bool alibi, std::optional<double> scale) {
    const at::AutoDispatchBelowADInplaceOrView below;
    static const auto op = operator_named<decltype(rfs::forward)>("rfs::attention_forward");
    const auto [out, log_sums] = op.call(qkv, offsets, positions, heads, base, share, alibi, scale);
    context->save_for_backward({qkv, offsets, positions, out, log_sums});
    context->mark_non_differentiable({log_sums});
    auto& data = context->saved_data;
    data["heads"] = heads, data["base"] = base, data["share"] = share, data["alibi"] = alibi, data["scale"] = scale;
    return {out, log_sums};
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& gradients) {
    static const auto op = operator_named<decltype(rfs::backward)>("rfs::attention_backward");
    const auto saved = context->get_saved_variables();
    auto& data = context->saved_data;
    const Tensor d_qkv = op.call(gradients[0], saved[3], saved[4], saved[0], saved[1], saved[2], data["heads"].toInt(),
                                 data["base"].toDouble(), data["share"].toDouble(), data["alibi"].toBool(),
                                 data["scale"].toOptional<double>());
    return {d_qkv, Tensor(), Tensor(), Tensor(), Tensor(), Tensor(), Tensor(), Tensor()};
  }
};

std::tuple<Tensor, Tensor> forward_autograd(RFS_ATTENTION_ARGUMENTS) {
  TORCH_CHECK_VALUE(!positions.requires_grad(),
                    "attention: positions must not require a gradient; none is computed for them");
  const auto out = Attention::apply(qkv, offsets, positions, heads, base, share, alibi, scale);
  return {out[0], out[1]};
}

Tensor attention_of(RFS_ATTENTION_ARGUMENTS) {
  static const auto op = operator_named<decltype(forward)>("rfs::attention_forward");
  return std::get<0>(op.call(qkv, offsets, positions, heads, base, share, alibi, scale));
}

}  // namespace

TORCH_LIBRARY_FRAGMENT(rfs, library) {
  const std::string arguments =
      "Tensor qkv, Tensor offsets, Tensor positions, int heads, *, float base=10000., float share=1., bool "
      "alibi=False, "
      "float? scale=None";
  library.def(("attention(" + arguments + ") -> Tensor").c_str());
  library.def(("attention_forward(" + arguments + ") -> (Tensor out, Tensor log_sums)").c_str());
  library.def(("attention_backward(Tensor d_out, Tensor out, Tensor log_sums, " + arguments + ") -> Tensor").c_str());
}
TORCH_LIBRARY_IMPL(rfs, CompositeImplicitAutograd, library) {
  library.impl("attention", attention_of);
}
TORCH_LIBRARY_IMPL(rfs, CompositeExplicitAutograd, library) {
  library.impl("attention_forward", forward);
  library.impl("attention_backward", backward);
}
TORCH_LIBRARY_IMPL(rfs, Meta, library) {
  library.impl("attention_forward", forward_fake);
  library.impl("attention_backward", backward_fake);
}
TORCH_LIBRARY_IMPL(rfs, Autograd, library) {
  library.impl("attention_forward", forward_autograd);
  library.impl("attention_backward", torch::autograd::autogradNotImplementedFallback());
}

}  // namespace rfs
