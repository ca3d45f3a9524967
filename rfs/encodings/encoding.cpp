#include "rfs/encodings/encoding.h"

#include "rfs/ops/rotary.h"

namespace rfs {

torch::Tensor PositionEncoding::embed(const torch::Tensor& x_ND, const torch::Tensor& positions_N) const {
  const int64_t width = x_ND.size(1);
  const auto frequencies = waves(width);
  if (frequencies.empty()) return x_ND;
  const auto angle = rotation(positions_N, frequencies, torch::kFloat64);
  const auto wave_ND = torch::stack({angle.sin_NP, angle.cos_NP}, 2).flatten(1).narrow(1, 0, width);
  return x_ND + wave_ND.to(x_ND.scalar_type());
}

}  // namespace rfs
