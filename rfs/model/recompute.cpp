#include "rfs/model/recompute.h"

#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/custom_class.h>

#include <algorithm>
#include <utility>

namespace rfs {
namespace {

using torch::Tensor;
using torch::autograd::variable_list;

struct Recomputed : torch::autograd::Function<Recomputed> {
  struct Held : torch::CustomClassHolder {
    explicit Held(ModelPart of) : part(std::move(of)) {}
    ModelPart part;
  };

  static Tensor forward(torch::autograd::AutogradContext* context, at::TensorList inputs, const ModelPart& part) {
    context->save_for_backward(inputs.vec());
    context->saved_data["part"] = c10::IValue::make_capsule(c10::make_intrusive<Held>(part));
    return part(inputs.vec());
  }

  static variable_list backward(torch::autograd::AutogradContext* context, const variable_list& gradients) {
    const auto held = c10::dynamic_intrusive_pointer_cast<Held>(context->saved_data["part"].toCapsule());
    variable_list inputs, results;
    for (const Tensor& input : context->get_saved_variables()) {
      inputs.push_back(input.detach().requires_grad_(input.requires_grad()));
    }
    {
      const torch::AutoGradMode with_gradient(true);
      torch::autograd::backward({held->part(inputs)}, {gradients[0]});
    }
    for (Tensor& input : inputs) results.push_back(std::exchange(input.mutable_grad(), {}));
    results.emplace_back();  // no gradient for `part`
    return results;
  }
};

}  // namespace

Tensor recomputed(ModelPart part, const std::vector<Tensor>& inputs) {
  const auto wants_gradient = [](const Tensor& input) { return input.requires_grad(); };
  // LibTorch skips a function none of whose inputs needs a gradient, even if its weights do.
  const bool skipped = std::none_of(inputs.begin(), inputs.end(), wants_gradient);
  if (!torch::GradMode::is_enabled() || skipped) return part(inputs);
  return Recomputed::apply(at::TensorList(inputs), std::move(part));
}

}  // namespace rfs
