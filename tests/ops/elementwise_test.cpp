// Norm, dropout and rotation.

#include <gtest/gtest.h>

#include <cmath>

#include "rfs/core/random.h"
#include "rfs/ops/dropout.h"
#include "rfs/ops/norm.h"
#include "rfs/ops/rotary.h"

namespace rfs {
namespace {

using torch::Tensor;

Tensor random(at::IntArrayRef shape, uint64_t index) {
  Stream stream(5, "elementwise test", index);
  Tensor x = torch::empty(shape, torch::kFloat64);
  for (int64_t i = 0; i < x.numel(); ++i) x.data_ptr<double>()[i] = stream.normal();
  return x;
}

TEST(RmsNorm, FusedIsTheReferenceIsTheFormula) {
  for (const auto& [tokens, width] : std::vector<std::pair<int64_t, int64_t>>{{1, 1}, {3, 8}, {100, 128}, {7, 33}}) {
    const Tensor x0 = random({tokens, width}, 1), w0 = random({width}, 2), upstream = random({tokens, width}, 3);
    const auto run = [&](torch::Dtype dtype, Backend backend) {
      Tensor x = x0.to(dtype, false, true).requires_grad_(), w = w0.to(dtype, false, true).requires_grad_();
      const Tensor y = rms_norm(x, w, 1e-6, backend);
      y.backward(upstream.to(dtype));
      return std::vector<Tensor>{y.detach().to(torch::kFloat64), x.grad().to(torch::kFloat64),
                                 w.grad().to(torch::kFloat64)};
    };
    const auto reference = run(torch::kFloat64, Backend::reference);
    const auto fused = run(torch::kFloat32, Backend::fused);
    for (size_t i = 0; i < 3; ++i) EXPECT_LT((reference[i] - fused[i]).abs().max().item<double>(), 1e-4) << i;
    for (int64_t n = 0; n < tokens; ++n) {
      double square = 0;
      for (int64_t d = 0; d < width; ++d) square += std::pow(x0[n][d].item<double>(), 2);
      for (int64_t d = 0; d < std::min<int64_t>(width, 5); ++d) {
        const double expected =
            x0[n][d].item<double>() / std::sqrt(square / static_cast<double>(width) + 1e-6) * w0[d].item<double>();
        EXPECT_NEAR(reference[0][n][d].item<double>(), expected, 1e-12);
      }
    }
  }
}

TEST(RmsNorm, RefusesWhatItCannotFuse) {
  EXPECT_THROW(
      rms_norm(torch::zeros({2, 2}, torch::kFloat64), torch::zeros({2}, torch::kFloat64), 1e-6, Backend::fused),
      c10::Error);
}

TEST(Drop, KeepsTheRateAndTheMean) {
  const Dropout dropout{0.1, 12, {0, 1, 2, 3}};
  const Tensor offsets =
      torch::tensor({int64_t{0}, int64_t{100}, int64_t{150}, int64_t{151}, int64_t{400}}, torch::kInt64);
  const Tensor y = drop(torch::ones({400, 250}), offsets, dropout, 3);
  const double share = y.eq(0).to(torch::kFloat64).mean().item<double>();
  EXPECT_NEAR(share, 0.1, 5 * std::sqrt(0.1 * 0.9 / 100'000));          // five standard deviations: false alarm 6e-7
  EXPECT_NEAR(y.max().item<double>(), 65536.0 / (65536 - 6554), 1e-6);  // the rate is rounded to a multiple of 2^-16
}

TEST(Drop, DependsOnTheSampleAndNotOnItsNeighbours) {
  const Tensor x = torch::ones({9, 16});
  const auto offsets = [](std::vector<int64_t> values) { return torch::tensor(values, torch::kInt64); };
  const Tensor both = drop(x, offsets({0, 4, 9}), {0.5, 12, {7, 8}}, 3);
  const Tensor alone = drop(x.narrow(0, 0, 5), offsets({0, 5}), {0.5, 12, {8}}, 3);
  EXPECT_TRUE(torch::equal(both.narrow(0, 4, 5), alone));
  EXPECT_FALSE(torch::equal(drop(x, offsets({0, 9}), {0.5, 12, {7}}, 3), drop(x, offsets({0, 9}), {0.5, 12, {7}}, 4)));
  EXPECT_FALSE(torch::equal(drop(x, offsets({0, 9}), {0.5, 12, {7}}, 3), drop(x, offsets({0, 9}), {0.5, 13, {7}}, 3)));
  EXPECT_TRUE(torch::equal(drop(x, offsets({0, 9}), {}, 3), x));
}

TEST(Rotate, TurnsPairsByTheirAngle) {
  const Tensor positions = torch::tensor({0.0f, 0.5f, 999.75f}, torch::kFloat32), x = random({3, 2, 6}, 4);
  const std::vector<double> frequencies = {1.0, 0.01};
  const Tensor y = rotate(x, rotation(positions, frequencies, torch::kFloat64));
  for (int64_t n = 0; n < 3; ++n) {
    for (int64_t h = 0; h < 2; ++h) {
      for (int64_t k = 0; k < 2; ++k) {
        const double angle = positions[n].item<double>() * frequencies[static_cast<size_t>(k)];
        const double a = x[n][h][2 * k].item<double>(), b = x[n][h][2 * k + 1].item<double>();
        EXPECT_NEAR(y[n][h][2 * k].item<double>(), a * std::cos(angle) - b * std::sin(angle), 1e-12);
        EXPECT_NEAR(y[n][h][2 * k + 1].item<double>(), a * std::sin(angle) + b * std::cos(angle), 1e-12);
      }
      for (int64_t e = 4; e < 6; ++e) EXPECT_EQ(y[n][h][e].item<double>(), x[n][h][e].item<double>());
    }
  }
}

}  // namespace
}  // namespace rfs
