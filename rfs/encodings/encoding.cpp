#include "rfs/encodings/encoding.h"

#include "rfs/ops/rotary.h"

namespace rfs {

torch::Tensor PositionEncoding::bias(std::span<const torch::Tensor>, const torch::Tensor&, const torch::Tensor&) const {
  return {};
}

torch::Tensor PositionEncoding::scores(std::span<const torch::Tensor>, const torch::Tensor& score_Hqk,
                                       const torch::Tensor&, const torch::Tensor&) const {
  return score_Hqk;
}

torch::Tensor PositionEncoding::added(std::span<const torch::Tensor>, const torch::Tensor&) const {
  return {};
}

torch::Tensor PositionEncoding::embed(const torch::Tensor& x_ND, const torch::Tensor& positions_N,
                                      std::span<const torch::Tensor> learned) const {
  if (adds_learned()) return x_ND + added(learned, positions_N).to(x_ND.scalar_type());
  const int64_t width = x_ND.size(1);
  const auto frequencies = sinusoids(width);
  if (frequencies.empty()) return x_ND;
  const auto angle = rotation(positions_N, frequencies, torch::kFloat64);
  const auto sinusoid_ND = torch::stack({angle.sin_NP, angle.cos_NP}, 2).flatten(1).narrow(1, 0, width);
  return x_ND + sinusoid_ND.to(x_ND.scalar_type());
}

}  // namespace rfs
