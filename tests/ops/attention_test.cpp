// The fused attention against the reference, forward and gradient, and the reference against the formula.

#include "rfs/ops/attention.h"

#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include <cmath>

#include "rfs/core/random.h"

namespace rfs {
namespace {

using torch::Tensor;

struct Case {
  std::vector<int64_t> lengths;
  int64_t heads, width, pairs;
  bool slopes;
  double scale, dropout;
  int64_t kv_heads = heads, window = 0;
  bool bias = false;

  int64_t qkv_width() const { return (heads + 2 * kv_heads) * width; }
};

Tensor random(at::IntArrayRef shape, torch::Dtype dtype, uint64_t index) {
  Stream stream(3, "attention test", index);
  Tensor x = torch::empty(shape, torch::kFloat64);
  for (int64_t i = 0; i < x.numel(); ++i) x.data_ptr<double>()[i] = stream.normal();
  return x.to(dtype);
}

AttentionPlan plan_of(const Case& c, torch::Dtype dtype) {
  AttentionPlan plan;
  std::vector<int64_t> offsets{0};
  std::vector<float> positions;
  for (size_t row = 0; row < c.lengths.size(); ++row) {
    Stream stream(4, "attention test positions", row);
    float p = 0;
    for (int64_t i = 0; i < c.lengths[row]; ++i) positions.push_back(p += static_cast<float>(stream.exponential()));
    offsets.push_back(offsets.back() + c.lengths[row]);
    plan.dropout.samples.push_back(100 + row);
  }
  plan.offsets = torch::tensor(offsets, torch::kInt64);
  plan.positions_N = torch::tensor(positions, torch::kFloat32);
  std::vector<double> frequencies, slopes;
  for (int64_t k = 0; k < c.pairs; ++k) frequencies.push_back(std::pow(0.3, static_cast<double>(k)));
  for (int64_t h = 0; h < c.heads; ++h) slopes.push_back(std::exp2(-static_cast<double>(h)));
  plan.rotation = rotation(plan.positions_N, frequencies, dtype);
  if (c.slopes) plan.slopes_H = torch::tensor(slopes, torch::kFloat64).to(dtype);
  plan.layout = {c.heads, c.kv_heads, c.width};
  plan.window = c.window;
  plan.scale = c.scale;
  plan.dropout.rate = c.dropout;
  plan.dropout.key = 77;
  return plan;
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const auto& lengths : std::vector<std::vector<int64_t>>{{1}, {5, 1, 3}, {17, 40, 2, 33}, {200, 1}}) {
    for (const int64_t pairs : {0, 1, 4}) {
      for (const bool slopes : {false, true}) {
        for (const double dropout : {0.0, 0.3})
          all.push_back({lengths, 3, 8, pairs, slopes, pairs == 1 ? 0.35 : 1, dropout});
      }
    }
  }
  all.push_back({{23, 7, 15}, 4, 32, 4, false, 1, 0});
  all.push_back({{64, 65}, 2, 64, 8, false, 0.125, 0.1});
  for (const int64_t kv_heads : {1, 2, 4}) {
    for (const int64_t window : {0, 1, 5}) {
      for (const bool bias : {false, true})
        all.push_back({{1, 13, 6}, 4, 8, 2, !bias, 0.5, 0.2, kv_heads, window, bias});
    }
  }
  return all;
}

TEST(Attention, FusedIsTheReference) {
  for (const auto dtype : {torch::kFloat64, torch::kFloat32}) {
    const double tolerance = dtype == torch::kFloat64 ? 1e-11 : 2e-4;
    for (const Case& c : cases()) {
      const AttentionPlan plan = plan_of(c, dtype);
      const int64_t tokens = plan.positions_N.size(0), inner = c.heads * c.width;
      const Tensor upstream = random({tokens, inner}, dtype, 1);
      std::vector<std::vector<Tensor>> results;
      for (const Backend backend : {Backend::reference, Backend::fused}) {
        Tensor qkv = random({tokens, c.qkv_width()}, dtype, 2).requires_grad_(), bias;
        if (c.bias) bias = random({c.heads, CausalPairs::begins(plan.offsets).back()}, dtype, 3).requires_grad_();
        const Tensor out = attention(qkv, plan, 9, backend, bias);
        out.backward(upstream);
        results.push_back({out.detach(), qkv.grad(), c.bias ? bias.grad() : torch::zeros(1)});
      }
      for (size_t i = 0; i < 3; ++i) {
        EXPECT_LT((results[0][i] - results[1][i]).abs().max().item<double>(), tolerance * (i == 0 ? 1 : 10)) << i;
      }
    }
  }
}

// softmax_j(scale q_i R(p_i)^T R(p_j) k_j - slope (p_i - p_j) + bias_ij) v_j in plain loops and double precision, over
// the last tokens of a window. Two heads with separate or shared keys and values.
void expect_formula(int64_t kv_heads, int64_t window) {
  const Case c{{6, 4}, 2, 6, 2, true, 0.4, 0, kv_heads, window, true};
  const AttentionPlan plan = plan_of(c, torch::kFloat64);
  const Tensor qkv = random({10, c.qkv_width()}, torch::kFloat64, 5), bias = random({2, 21 + 10}, torch::kFloat64, 7);
  const Tensor out = attention(qkv, plan, 0, Backend::reference, bias);
  const auto x = qkv.accessor<double, 2>();
  const int64_t keys = 12, values = 12 + 6 * kv_heads;
  const float* p = plan.positions_N.data_ptr<float>();
  const auto turned = [&](int64_t token, int64_t base, int64_t e) {
    if (e >= 4) return x[token][base + e];
    const double angle = static_cast<double>(p[token]) * std::pow(0.3, static_cast<double>(e / 2));
    const double a = x[token][base + e / 2 * 2], b = x[token][base + e / 2 * 2 + 1];
    return e % 2 == 0 ? a * std::cos(angle) - b * std::sin(angle) : a * std::sin(angle) + b * std::cos(angle);
  };
  for (int64_t row = 0; row < 2; ++row) {
    const int64_t first = row == 0 ? 0 : 6, last = row == 0 ? 6 : 10;
    for (int64_t h = 0; h < 2; ++h) {
      for (int64_t i = first; i < last; ++i) {
        std::vector<double> weight;
        double sum = 0;
        const int64_t shared = kv_heads == 1 ? 0 : h * 6, begin = window > 0 ? std::max(first, i + 1 - window) : first;
        for (int64_t j = begin; j <= i; ++j) {
          double score = 0;
          for (int64_t e = 0; e < 6; ++e) score += turned(i, h * 6, e) * turned(j, keys + shared, e);
          score = 0.4 * score -
                  std::exp2(-static_cast<double>(h)) * (static_cast<double>(p[i]) - static_cast<double>(p[j]));
          const int64_t query = i - first, pair = (row == 0 ? 0 : 21) + query * (query + 1) / 2 + j - first;
          score += bias[h][pair].item<double>();
          weight.push_back(std::exp(score));
          sum += weight.back();
        }
        for (int64_t e = 0; e < 6; ++e) {
          double expected = 0;
          for (int64_t j = begin; j <= i; ++j)
            expected += weight[static_cast<size_t>(j - begin)] / sum * x[j][values + shared + e];
          EXPECT_NEAR(out[i][h * 6 + e].item<double>(), expected, 1e-12);
        }
      }
    }
  }
}

TEST(Attention, ReferenceIsTheFormula) {
  for (const int64_t kv_heads : {1, 2}) {
    for (const int64_t window : {0, 2}) expect_formula(kv_heads, window);
  }
}

TEST(Attention, ARowDoesNotSeeItsNeighbours) {
  const Case c{{9, 21, 5}, 4, 16, 2, true, 1, 0.2};
  const AttentionPlan plan = plan_of(c, torch::kFloat32);
  const Tensor qkv = random({35, 192}, torch::kFloat32, 6);
  const Tensor all = attention(qkv, plan, 1);
  AttentionPlan alone = plan;
  alone.offsets = torch::tensor({int64_t{0}, int64_t{21}}, torch::kInt64);
  alone.positions_N = plan.positions_N.narrow(0, 9, 21);
  alone.rotation = {plan.rotation.cos_NP.narrow(0, 9, 21), plan.rotation.sin_NP.narrow(0, 9, 21)};
  alone.dropout.samples = {plan.dropout.samples[1]};
  EXPECT_TRUE(torch::equal(attention(qkv.narrow(0, 9, 21), alone, 1), all.narrow(0, 9, 21)));
}

TEST(Attention, RefusesWhatItCannotFuse) {
  const Case c{{3}, 1, 4, 0, false, 1, 0};
  AttentionPlan plan = plan_of(c, torch::kFloat32);
  const Tensor half = torch::zeros({3, 12}, torch::kBFloat16);
  EXPECT_THROW(attention(half, plan, 0, Backend::fused), c10::Error);
  EXPECT_THROW(attention(torch::zeros({4, 12}), plan, 0), c10::Error);
}

}  // namespace
}  // namespace rfs
