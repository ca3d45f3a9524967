#include "rfs/encodings/encoding.h"

namespace rfs {

torch::Tensor PositionEncoding::embed(const torch::Tensor& x_ND, const torch::Tensor& positions_N) const {
  const int64_t width = x_ND.size(1);
  const auto frequencies = waves(width);
  if (frequencies.empty()) return x_ND;
  const auto frequency_W = torch::tensor(frequencies, torch::kFloat64).to(positions_N.device());
  const auto angle_NW = torch::outer(positions_N.to(torch::kFloat64), frequency_W);
  const auto wave_ND = torch::stack({angle_NW.sin(), angle_NW.cos()}, 2).flatten(1).narrow(1, 0, width);
  return x_ND + wave_ND.to(x_ND.scalar_type());
}

}  // namespace rfs
