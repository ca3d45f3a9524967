#include "rfs/device/kernel_node.h"

#include <gtest/gtest.h>

namespace rfs {
namespace {

using torch::Tensor;

Tensor twice(const Tensor& x, const std::shared_ptr<int>& kept = {}) {
  const torch::NoGradGuard no_gradient;
  Tensor y = x * 2;
  const torch::AutoGradMode gradient(true);
  return KernelNode::recorded({x}, y, [kept](const Tensor& d_y) { return torch::autograd::variable_list{d_y * 2}; });
}

TEST(KernelNode, IsAStepOfTheBackwardPass) {
  Tensor x = torch::tensor({1.0, 2.0}).requires_grad_();
  const auto kept = std::make_shared<int>();
  {
    const Tensor loss = (twice(twice(x, kept), kept) * x).sum();
    EXPECT_EQ(kept.use_count(), 3);
    loss.backward();
    EXPECT_EQ(kept.use_count(), 1) << "what a step keeps is let go when it has run";
  }
  EXPECT_TRUE(torch::equal(x.grad(), torch::tensor({8.0, 16.0})));
}

TEST(KernelNode, LetsGoWithoutABackwardPass) {
  Tensor x = torch::tensor({1.0}).requires_grad_();
  const auto kept = std::make_shared<int>();
  { const Tensor y = twice(x, kept); }
  EXPECT_EQ(kept.use_count(), 1);
}

TEST(KernelNode, RecordsNothingWhereNoGradientIsAskedFor) {
  Tensor x = torch::tensor({1.0}).requires_grad_();
  const torch::NoGradGuard no_gradient;
  EXPECT_FALSE(KernelNode::recorded({x}, x * 2, {}).requires_grad());
}

TEST(KernelNode, HasSeveralInputs) {
  Tensor x = torch::tensor({1.0}).requires_grad_(), z = torch::tensor({3.0}).requires_grad_();
  const Tensor y = (x * z).detach();
  const Tensor a = x.detach(), b = z.detach();
  KernelNode::recorded({x, z}, y, [=](const Tensor& d) {
    return torch::autograd::variable_list{d * b, d * a};
  }).backward();
  EXPECT_EQ(x.grad().item<double>(), 3);
  EXPECT_EQ(z.grad().item<double>(), 1);
}

}  // namespace
}  // namespace rfs
