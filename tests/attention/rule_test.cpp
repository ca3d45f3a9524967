// Attention rules against their published formulas in double precision.

#include <gtest/gtest.h>
#include <torch/types.h>

#include <cmath>
#include <limits>

#include "rfs/attention/attention_rule.h"

namespace rfs {
namespace {

std::unique_ptr<AttentionRule> make(const std::string& settings) {
  const auto parsed = Settings::from_text("[attention]\n" + settings, "test");
  return Choice<AttentionRule>::read(parsed.find("attention"), "softmax").make();
}

std::vector<torch::Tensor> initial(const std::vector<LearnedTensor>& learned) {
  std::vector<torch::Tensor> tensors;
  for (const auto& one : learned) {
    Stream stream(1, one.name);
    tensors.push_back(torch::empty(one.shape, torch::kFloat64));
    for (int64_t i = 0; i < tensors.back().numel(); ++i) tensors.back().data_ptr<double>()[i] = one.initial(stream);
  }
  return tensors;
}

TEST(Softmax, LeavesQueriesAlone) {
  EXPECT_FALSE(make("use = 'softmax'")->scales_queries());
  EXPECT_TRUE(make("use = 'softmax'")->learned({}).empty());
}

// The factor is s_h log(n_i + 1). s starts at 1 / mean log(n_i + 1), so its mean over the longest training row is 1.
TEST(Ssmax, ScalesByTheLogarithmOfTheKeys) {
  const auto rule = make("use = 'ssmax'");
  for (const int64_t window : {0, 6}) {
    const ModelShape shape{
        .layers = 2, .width = 8, .heads = 3, .head_width = 4, .trained_length = 40, .window = window};
    auto learned = initial(rule->learned(shape));
    ASSERT_EQ(learned.size(), 1u);
    std::vector<double> keys;
    for (int64_t i = 1; i <= 40; ++i) keys.push_back(static_cast<double>(window == 0 ? i : std::min<int64_t>(i, 6)));
    const auto keys_N = torch::tensor(keys, torch::kFloat64);
    EXPECT_NEAR(rule->query_scale(learned, keys_N, {}).mean().item<double>(), 1, 1e-12);
    learned[0] = torch::tensor({0.5, 1.0, 2.0}, torch::kFloat64).requires_grad_();
    const auto scale_NH = rule->query_scale(learned, keys_N, {});
    for (int64_t i = 0; i < 40; ++i) {
      for (int64_t h = 0; h < 3; ++h) {
        const double expected = std::exp2(static_cast<double>(h - 1)) * std::log(keys[static_cast<size_t>(i)] + 1);
        EXPECT_NEAR(scale_NH[i][h].item<double>(), expected, 1e-14);
      }
    }
    scale_NH.sum().backward();
    EXPECT_NEAR(learned[0].grad()[1].item<double>(), torch::log(keys_N + 1).sum().item<double>(), 1e-10);
  }
}

TEST(Ssmax, MayLearnAnOffset) {
  const auto rule = make("use = 'ssmax'\noffset = true");
  const auto learned = initial(rule->learned({.heads = 2, .trained_length = 10}));
  ASSERT_EQ(learned.size(), 2u);
  EXPECT_EQ(learned[1].abs().max().item<double>(), 0);
  const std::vector<torch::Tensor> chosen = {torch::tensor({1.0, 2.0}, torch::kFloat64),
                                             torch::tensor({0.25, -1.0}, torch::kFloat64)};
  const auto scale = rule->query_scale(chosen, torch::tensor({1.0}, torch::kFloat64), {});
  EXPECT_NEAR(scale[0][0].item<double>(), std::log(2.0) + 0.25, 1e-15);
  EXPECT_NEAR(scale[0][1].item<double>(), 2 * std::log(2.0) - 1, 1e-15);
}

// Anson et al. 2025: softmax(a_t score + m_t), a_t^2 = 2 (log(t / tau + 1) - 1/2 + 1), m_t = 1 - a_t^2 for alpha =
// beta.
TEST(ScaleInvariant, ScalesAndShiftsByTheDistance) {
  const auto rule = make("use = 'scale_invariant'\ntau = 4.0");
  const std::vector<double> scores = {0.3, -1.2, 0.9};
  const auto score = torch::tensor(scores, torch::kFloat64).view({1, 1, 3});
  const auto weights = rule->weights({}, score, torch::tensor({{2.0, 1.0, 0.0}}, torch::kFloat64));
  std::vector<double> expected;
  double sum = 0;
  for (int j = 0; j < 3; ++j) {
    const double square = 2 * (std::log((2.0 - j) / 4 + 1) + 0.5);
    expected.push_back(std::exp(std::sqrt(square) * scores[static_cast<size_t>(j)] + 1 - square));
    sum += expected.back();
  }
  for (int j = 0; j < 3; ++j) {
    EXPECT_NEAR(weights[0][0][j].item<double>(), expected[static_cast<size_t>(j)] / sum, 1e-14);
  }
}

// Peters et al. 2019: 1.5-entmax maximizes p . z + H(p) with H(p) = (1 / .75) sum (p - p^1.5); the optimum is
// max(z / 2 - tau, 0)^2. Unseen keys and keys far below the largest have weight 0.
TEST(Asentmax, WeightsAreEntmax) {
  const auto rule = make("use = 'asentmax'");
  const double none = -std::numeric_limits<double>::infinity();
  const auto score =
      torch::tensor({1.0, 0.4, -0.3, -5.0, none, 2.0, 2.0, none, none, none}, torch::kFloat64).view({1, 2, 5});
  const auto weights = rule->weights({}, score, torch::zeros({2, 5}, torch::kFloat64));
  EXPECT_LT((weights.sum(-1) - 1).abs().max().item<double>(), 1e-14);
  EXPECT_EQ(weights[0][0][3].item<double>(), 0);
  EXPECT_EQ(weights[0][0][4].item<double>(), 0);
  EXPECT_NEAR(weights[0][1][0].item<double>(), 0.5, 1e-14);
  const auto tau = [&](int64_t j) {
    return score[0][0][j].item<double>() / 2 - std::sqrt(weights[0][0][j].item<double>());
  };
  EXPECT_NEAR(tau(0), tau(1), 1e-14);
  EXPECT_NEAR(tau(0), tau(2), 1e-14);
  EXPECT_LT(-5.0 / 2, tau(0));

  const auto free = torch::tensor({0.9, 0.1, -0.2, 0.3, -3.0}, torch::kFloat64).view({1, 1, 5});
  const auto with_gradient = free.clone().requires_grad_();
  const auto probe = torch::tensor({0.3, -0.7, 0.2, 1.0, 0.5}, torch::kFloat64);
  const auto value = [&](const torch::Tensor& z) {
    return (rule->weights({}, z, torch::zeros({1, 5}, torch::kFloat64)) * probe).sum();
  };
  value(with_gradient).backward();
  for (int64_t j = 0; j < 5; ++j) {
    auto up = free.clone(), down = free.clone();
    up[0][0][j] += 1e-6;
    down[0][0][j] -= 1e-6;
    const double numeric = (value(up) - value(down)).item<double>() / 2e-6;
    EXPECT_NEAR(with_gradient.grad()[0][0][j].item<double>(), numeric, 1e-8) << j;
  }
}

// Vasylenko et al. 2025: 1 + softplus(W_b x) log(n + 1)^(2 tanh(W_g x)), on all heads or the second half.
TEST(Asentmax, ScalesQueriesByTheirHiddenState) {
  const std::vector<torch::Tensor> learned = {torch::tensor({{0.5, -1.0}, {2.0, 0.0}}, torch::kFloat64),
                                              torch::tensor({{-0.4, 0.3}, {1.0, 1.0}}, torch::kFloat64)};
  const auto x = torch::tensor({{1.0, 0.5}, {-2.0, 1.0}}, torch::kFloat64);
  const auto keys = torch::tensor({1.0, 30.0}, torch::kFloat64);
  for (const bool half : {false, true}) {
    const auto rule = make(std::string("use = 'asentmax'\nscaled_heads = '") + (half ? "second_half'" : "all'"));
    const auto scale = rule->query_scale(learned, keys, x);
    for (int64_t i = 0; i < 2; ++i) {
      for (int64_t h = 0; h < 2; ++h) {
        const double beta = std::log1p(std::exp((x[i] * learned[0][h]).sum().item<double>()));
        const double gamma = 2 * std::tanh((x[i] * learned[1][h]).sum().item<double>());
        const double expected = 1 + beta * std::pow(std::log(keys[i].item<double>() + 1), gamma);
        EXPECT_NEAR(scale[i][h].item<double>(), half && h == 0 ? 1 : expected, 1e-12);
      }
    }
  }
}

}  // namespace
}  // namespace rfs
