#include "rfs/ops/rotary.h"

namespace rfs {
namespace {

/// The vector math library initializes itself in its first call. A call from another thread during that time may take
/// another code path with different last bits. So one thread makes the first call while the others wait.
void prepare() {
  static const bool ready = [] {
    const auto angle = torch::linspace(0, 100, 1000, torch::kFloat64);
    return angle.cos().defined() && angle.sin().defined();
  }();
  (void)ready;
}

}  // namespace

Rotation rotation(const torch::Tensor& positions_N, const std::vector<double>& frequencies, torch::Dtype dtype) {
  if (frequencies.empty()) return {};
  return rotation(positions_N, torch::tensor(frequencies, torch::kFloat64).to(positions_N.device()), dtype);
}

Rotation rotation(const torch::Tensor& positions_N, const torch::Tensor& frequency, torch::Dtype dtype) {
  if (!frequency.defined()) return {};
  prepare();
  const auto angle_NP = positions_N.to(torch::kFloat64).unsqueeze(1) * frequency;
  return {angle_NP.cos().to(dtype), angle_NP.sin().to(dtype)};
}

torch::Tensor rotate(const torch::Tensor& x_NHE, const Rotation& rotation) {
  const int64_t tokens = x_NHE.size(0), heads = x_NHE.size(1), rotated = 2 * rotation.cos_NP.size(1);
  TORCH_CHECK(rotated <= x_NHE.size(2), "rotate: cannot rotate ", rotated, " dims of a head with ", x_NHE.size(2));
  const auto pair_NHP2 = x_NHE.narrow(2, 0, rotated).view({tokens, heads, rotated / 2, 2});
  const auto a = pair_NHP2.select(3, 0), b = pair_NHP2.select(3, 1);
  const auto cos = rotation.cos_NP.unsqueeze(1), sin = rotation.sin_NP.unsqueeze(1);
  const auto out = torch::stack({a * cos - b * sin, a * sin + b * cos}, 3).view({tokens, heads, rotated});
  return torch::cat({out, x_NHE.narrow(2, rotated, x_NHE.size(2) - rotated)}, 2);
}

}  // namespace rfs
