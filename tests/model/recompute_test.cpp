// With recomputation, every model has the same loss and the same gradients, bit for bit.

#include "rfs/model/recompute.h"

#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include "every_model.h"
#include "rfs/engine/engine.h"
#include "some_rows.h"

namespace rfs {
namespace {

using torch::Tensor;

class EveryModelAgain : public testing::TestWithParam<AnyModel> {};

/// The losses of two passes, whose gradients add up in the decoder.
std::vector<double> two_passes(const Decoder& decoder) {
  std::vector<double> losses;
  for (const uint64_t first : {3, 6}) {
    const Tensor loss =
        decoder.loss(some_rows(decoder.spec().tracks()), Dropout{0.2, 99, {first, first + 1, first + 2}});
    loss.backward();
    losses.push_back(loss.item<double>());
  }
  return losses;
}

TEST_P(EveryModelAgain, ComputesTheSameBits) {
  for (const Backend backend : {Backend::reference, Backend::automatic}) {
    const auto kept = GetParam().decoder(torch::kFloat32), again = GetParam().decoder(torch::kFloat32);
    kept->backend = again->backend = backend;
    again->recompute = true;
    EXPECT_EQ(two_passes(*kept), two_passes(*again));
    for (size_t i = 0; i < kept->parameters().items().size(); ++i) {
      const auto& [name, tensor] = kept->parameters().items()[i];
      EXPECT_TRUE(torch::equal(tensor.grad(), again->parameters().items()[i].tensor.grad())) << name;
    }
    EXPECT_GT(kept->parameters().gradient().norm().item<double>(), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(All, EveryModelAgain, testing::ValuesIn(every_model()), name_of);

TEST(Recompute, OnKernelsIsTheSameWithEveryGradient) {
  if (const auto refusal = device_refusal(); !refusal.empty()) GTEST_SKIP() << "NOT TESTED: " << refusal;
  for (const AnyModel& model : every_model()) {
    const auto make = [&] { return model.decoder(torch::kFloat32, torch::kCUDA, AnyModel::heads_of_64); };
    const auto kept = make(), again = make();
    if (!kernel_refusal(kept->spec()).empty()) continue;
    for (const auto& decoder : {kept.get(), again.get()}) decoder->use_kernels(DType::bf16);
    again->recompute = true;
    EXPECT_EQ(two_passes(*kept), two_passes(*again)) << model.name;
    EXPECT_TRUE(torch::equal(kept->parameters().gradient(), again->parameters().gradient())) << model.name;
  }
}

TEST(Recompute, RunsAPartTwiceAndKeepsNothingElse) {
  int runs = 0;
  const Tensor weight = torch::tensor({2.0, 3.0}).requires_grad_();
  weight.mutable_grad() = torch::zeros({2});
  const ModelPart part = [&](const std::vector<Tensor>& inputs) {
    ++runs;
    return (inputs[0] * weight).square();
  };
  const Tensor x = torch::tensor({1.0, -1.0}).requires_grad_();
  const Tensor y = recomputed(part, {x});
  EXPECT_EQ(runs, 1);
  y.sum().backward();
  EXPECT_EQ(runs, 2);
  EXPECT_TRUE(torch::equal(x.grad(), torch::tensor({8.0, -18.0})));
  EXPECT_TRUE(torch::equal(weight.grad(), torch::tensor({4.0, 6.0})));

  // An input without gradient does not keep the weights from getting theirs.
  recomputed(part, {torch::tensor({1.0, -1.0})}).sum().backward();
  EXPECT_TRUE(torch::equal(weight.grad(), torch::tensor({8.0, 12.0})));
  {
    const torch::NoGradGuard no_gradient;
    EXPECT_FALSE(recomputed(part, {x}).requires_grad());
  }
}

}  // namespace
}  // namespace rfs
