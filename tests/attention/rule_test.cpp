// Attention rules against their published formulas in double precision.

#include <gtest/gtest.h>
#include <torch/types.h>

#include <cmath>

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
    EXPECT_NEAR(rule->query_scale(learned, keys_N).mean().item<double>(), 1, 1e-12);
    learned[0] = torch::tensor({0.5, 1.0, 2.0}, torch::kFloat64).requires_grad_();
    const auto scale_NH = rule->query_scale(learned, keys_N);
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
  const auto scale = rule->query_scale(chosen, torch::tensor({1.0}, torch::kFloat64));
  EXPECT_NEAR(scale[0][0].item<double>(), std::log(2.0) + 0.25, 1e-15);
  EXPECT_NEAR(scale[0][1].item<double>(), 2 * std::log(2.0) - 1, 1e-15);
}

}  // namespace
}  // namespace rfs
