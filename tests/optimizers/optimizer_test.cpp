// Optimizers against their published formulas in double precision, and saving and restoring their state.

#include "rfs/train/optimizer.h"

#include <gtest/gtest.h>

#include <cmath>

#include "rfs/core/random.h"
#include "rfs/model/parameters.h"

namespace rfs {
namespace {

using torch::Tensor;

std::shared_ptr<const OptimizerRule> make(const std::string& name) {
  return Choice<OptimizerRule>::read(nullptr, name).make();
}

Tensor random(at::IntArrayRef shape, uint64_t index) {
  Stream stream(3, "optimizer test", index);
  Tensor x = torch::empty(shape, torch::kFloat64);
  for (int64_t i = 0; i < x.numel(); ++i) x.data_ptr<double>()[i] = stream.normal();
  return x;
}

/// A stack of a wide and a tall hidden matrix, a matrix that is not hidden, and a vector.
struct Weights {
  Parameters parameters{{{"hidden", {7, 4}, {}, {2, 5}}, {"table", {3, 2}}, {"vector", {4}}}, torch::kFloat64};
  TrainOptions options;

  Weights() {
    const torch::NoGradGuard no_gradient;
    options.clip = 1e9;
    options.weight_decay = 0.1;
    parameters.flat().copy_(random({parameters.size()}, 1));
  }
  void set_gradient(uint64_t step) { parameters.gradient().copy_(random({parameters.size()}, 10 + step)); }
};

class EveryOptimizer : public testing::TestWithParam<std::string> {};

TEST_P(EveryOptimizer, ResumesToTheSameBitsFromItsNamedState) {
  Weights whole, part, resumed;
  Optimizer first(whole.parameters, whole.options, make(GetParam()));
  Optimizer second(part.parameters, part.options, make(GetParam()));
  Optimizer third(resumed.parameters, resumed.options, make(GetParam()));
  for (uint64_t step = 0; step < 6; ++step) {
    whole.set_gradient(step);
    first.update(0.01);
    if (step == 3) third.restore(second.state());
    Weights& other = step < 3 ? part : resumed;
    other.set_gradient(step);
    (step < 3 ? second : third).update(0.01);
  }
  EXPECT_TRUE(torch::equal(whole.parameters.flat(), resumed.parameters.flat()));
  EXPECT_EQ(third.updates(), 6);
}

TEST_P(EveryOptimizer, GoesDownhill) {
  Weights weights;
  Optimizer optimizer(weights.parameters, weights.options, make(GetParam()));
  const double before = weights.parameters.flat().norm().item<double>();
  for (int step = 0; step < 100; ++step) {  // the loss is half the squared norm
    weights.parameters.gradient().copy_(weights.parameters.flat());
    optimizer.update(0.02);
  }
  EXPECT_LT(weights.parameters.flat().norm().item<double>(), 0.6 * before);
}

INSTANTIATE_TEST_SUITE_P(Registered, EveryOptimizer, testing::ValuesIn(Registry<OptimizerRule>::names()),
                         [](const auto& named) { return named.param; });

// Loshchilov and Hutter 2019, algorithm 2, in plain loops.
TEST(AdamW, FollowsThePaper) {
  Weights weights;
  Optimizer optimizer(weights.parameters, weights.options, make("adamw"));
  const auto size = static_cast<size_t>(weights.parameters.size());
  std::vector<double> w(weights.parameters.flat().data_ptr<double>(),
                        weights.parameters.flat().data_ptr<double>() + size);
  std::vector<double> m(size), v(size);
  for (uint64_t step = 1; step <= 4; ++step) {
    weights.set_gradient(step);
    const Tensor gradient = weights.parameters.gradient().clone();
    optimizer.update(0.03);
    const auto t = static_cast<double>(step);
    for (size_t i = 0; i < size; ++i) {
      const double g = gradient.data_ptr<double>()[i], decay = i < 34 ? 0.1 : 0.0;  // the matrices have 28 + 6 entries
      m[i] = 0.9 * m[i] + 0.1 * g;
      v[i] = 0.999 * v[i] + 0.001 * g * g;
      const double mean = m[i] / (1 - std::pow(0.9, t)), square = v[i] / (1 - std::pow(0.999, t));
      w[i] -= 0.03 * decay * w[i] + 0.03 * mean / (std::sqrt(square) + 1e-8);
    }
  }
  for (size_t i = 0; i < size; ++i) EXPECT_NEAR(weights.parameters.flat().data_ptr<double>()[i], w[i], 1e-12) << i;
}

// Jordan et al. 2024: the Newton-Schulz iteration keeps singular vectors and applies a polynomial to each singular
// value. So a singular value decomposition gives the same update.
TEST(Muon, MovesHiddenMatricesAlongTheOrthogonalisedMomentum) {
  Weights weights, adam;
  Optimizer optimizer(weights.parameters, weights.options, make("muon"));
  Optimizer reference(adam.parameters, adam.options, make("adamw"));
  Tensor expected = weights.parameters["hidden"].detach().clone(), momentum = torch::zeros_like(expected);
  for (uint64_t step = 1; step <= 3; ++step) {
    weights.set_gradient(step);
    adam.set_gradient(step);
    const Tensor gradient = weights.parameters["hidden"].grad().clone();
    optimizer.update(0.03);
    reference.update(0.03);
    momentum = 0.95 * momentum + 0.05 * gradient;
    const Tensor mixed = 0.05 * gradient + 0.95 * momentum;
    int64_t row = 0;
    for (const int64_t rows : {2, 5}) {
      const auto [u, s, v] = torch::svd(mixed.narrow(0, row, rows));
      Tensor value = s / (s.square().sum().sqrt() + 1e-7);
      for (int i = 0; i < 5; ++i) value = 3.4445 * value - 4.775 * value.pow(3) + 2.0315 * value.pow(5);
      const Tensor direction = torch::matmul(u * value, v.t());
      const double scale = 0.2 * std::sqrt(static_cast<double>(std::max<int64_t>(rows, 4)));
      const Tensor part = expected.narrow(0, row, rows);
      part.copy_(part * (1 - 0.03 * 0.1) - 0.03 * scale * direction);
      row += rows;
    }
  }
  EXPECT_LT((weights.parameters["hidden"] - expected).abs().max().item<double>(), 1e-12);
  for (const char* name : {"table", "vector"}) {
    EXPECT_TRUE(torch::equal(weights.parameters[name], adam.parameters[name])) << name << " moves by AdamW";
  }
}

}  // namespace
}  // namespace rfs
