#pragma once

#include <torch/csrc/autograd/custom_function.h>
#include <torch/custom_class.h>
#include <torch/types.h>

#include <functional>
#include <memory>
#include <utility>

namespace rfs {

/// A step of LibTorch's backward pass that is a function of ours: from the gradient of one result to those of its
/// inputs. What the function keeps is let go as soon as it has run, so that it runs once.
class KernelNode : public torch::autograd::Function<KernelNode> {
 public:
  using Body = std::function<torch::autograd::variable_list(const torch::Tensor& d_y)>;

  /// `y`, with `body` as the way back to `inputs`; plain `y` where no gradient is asked for. The body must not hold
  /// `y` itself (y.detach() is another tensor on the same memory).
  static torch::Tensor recorded(const torch::autograd::variable_list& inputs, torch::Tensor y, Body body) {
    if (!torch::GradMode::is_enabled()) return y;
    return apply(at::TensorList(inputs), std::make_shared<Made>(Made{std::move(y), std::move(body)}));
  }

  // What follows is for LibTorch.
  struct Made {
    torch::Tensor y;
    Body body;
  };
  struct Held : torch::CustomClassHolder {
    explicit Held(Body of) : body(std::move(of)) {}
    Body body;
  };

  static torch::Tensor forward(torch::autograd::AutogradContext* context, at::TensorList,
                               const std::shared_ptr<Made>& made) {
    context->saved_data["body"] = c10::IValue::make_capsule(c10::make_intrusive<Held>(std::move(made->body)));
    return std::exchange(made->y, {});
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& gradients) {
    auto held = c10::dynamic_intrusive_pointer_cast<Held>(context->saved_data["body"].toCapsule());
    TORCH_CHECK(held && held->body, "backward: twice through the same pass");
    const torch::NoGradGuard no_gradient;
    auto results = std::exchange(held->body, nullptr)(gradients[0].contiguous());
    results.emplace_back();  // of `made`
    return results;
  }
};

}  // namespace rfs
