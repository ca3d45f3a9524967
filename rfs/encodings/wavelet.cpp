#include <torch/types.h>

#include <cmath>

#include "rfs/encodings/encoding.h"

namespace rfs {
namespace {

/// Wavelet positions (Oka et al. 2025): keys get Ricker wavelets of the distance, psi(t) = (1 - t^2) exp(-t^2 / 2), one
/// per dim of a head, as in Shaw et al.'s relative positions. So the score gets scale * sum_e q_e psi((d - b_e) / a_e).
/// With S scales, dim e has the scale a = 2^(e mod S) and the shift b = floor(e / S).
///
/// It depends on queries and distances at once, so only the reference tier computes it.
class Wavelet : public PositionEncoding {
 public:
  struct Options : rfs::Options {
    Field<int64_t> scales{this, "scales", 8, "S: scales 1, 2, 4, ... over the dims of a head", between<int64_t>(1, 60)};
    Field<double> stretch{this, "stretch", 1.0,
                          "distances are multiplied by this; n_tr / L suits random_float positions",
                          between(1e-9, 1e9)};
  };
  explicit Wavelet(const Options& options) : options_(options) {}

  bool changes_scores() const override { return true; }

  torch::Tensor scores(std::span<const torch::Tensor>, const torch::Tensor& score_Hqk, const torch::Tensor& query_HqE,
                       const torch::Tensor& distance_qk) const override {
    const int64_t width = query_HqE.size(2);
    const auto dim_E = torch::arange(width, distance_qk.options());
    const double scales = static_cast<double>(*options_.scales);
    const auto scale_E = torch::exp2(dim_E.remainder(scales)), shift_E = (dim_E / scales).floor();
    const auto square_qkE = ((distance_qk.unsqueeze(2) * *options_.stretch - shift_E) / scale_E).square();
    const auto wavelet_qkE = (1 - square_qkE) * torch::exp(square_qkE * -0.5);
    return score_Hqk + torch::matmul(wavelet_qkE, query_HqE.permute({1, 2, 0})).permute({2, 0, 1});
  }

 private:
  Options options_;
};

const bool registered =
    Registry<PositionEncoding>::add<Wavelet>("Ricker wavelets of the distance as relative keys (reference tier only)");

}  // namespace
}  // namespace rfs
