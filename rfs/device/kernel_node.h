#pragma once

#include <torch/csrc/autograd/custom_function.h>
#include <torch/custom_class.h>
#include <torch/types.h>

#include <functional>
#include <memory>
#include <utility>

namespace rfs {

/// A node of LibTorch's autograd graph whose backward step is a C++ function: it maps the gradient of one result to the
/// gradients of its inputs. The function and what it captures are freed after it runs, so it can run only once.
class KernelNode : public torch::autograd::Function<KernelNode> {
 public:
  using Body = std::function<torch::autograd::variable_list(const torch::Tensor& d_y)>;

  /// Returns `y` with `body` as its backward step towards `inputs`, or plain `y` if gradients are disabled. The body
  /// must not capture `y` itself; y.detach() is a separate tensor on the same memory.
  static torch::Tensor recorded(const torch::autograd::variable_list& inputs, torch::Tensor y, Body body) {
    if (!torch::GradMode::is_enabled()) return y;
    return apply(at::TensorList(inputs), std::make_shared<Made>(Made{std::move(y), std::move(body)}));
  }

  // The rest of the class is called by LibTorch.
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
    TORCH_CHECK(held && held->body, "backward: this pass has already run backward; run forward again first");
    const torch::NoGradGuard no_gradient;
    auto results = std::exchange(held->body, nullptr)(gradients[0].contiguous());
    results.emplace_back();  // no gradient for `made`
    return results;
  }
};

}  // namespace rfs
