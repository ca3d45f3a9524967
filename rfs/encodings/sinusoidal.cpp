#include <cmath>

#include "rfs/encodings/encoding.h"

namespace rfs {
namespace {

/// Paper, equation 1: p_{i,2k} = sin(p_i / base^(2k/d)), p_{i,2k+1} = cos(p_i / base^(2k/d)), added unscaled.
class Sinusoidal : public PositionEncoding {
 public:
  struct Options : rfs::Options {
    Field<double> base{this, "base", 10'000.0, "the slowest wave is about base * 2 pi positions long",
                       between(1.001, 1e12)};
  };
  explicit Sinusoidal(const Options& options) : options_(options) {}

  torch::Tensor embed(const torch::Tensor& x_ND, const torch::Tensor& positions_N) const override {
    const int64_t width = x_ND.size(1), waves = (width + 1) / 2;
    std::vector<double> frequencies;
    for (int64_t k = 0; k < waves; ++k) {
      frequencies.push_back(std::pow(*options_.base, -2.0 * static_cast<double>(k) / static_cast<double>(width)));
    }
    const auto frequency_W = torch::tensor(frequencies, torch::kFloat64).to(positions_N.device());
    const auto angle_NW = torch::outer(positions_N.to(torch::kFloat64), frequency_W);
    const auto wave_ND = torch::stack({angle_NW.sin(), angle_NW.cos()}, 2).flatten(1).narrow(1, 0, width);
    return x_ND + wave_ND.to(x_ND.scalar_type());
  }

 private:
  Options options_;
};

const bool registered = Registry<PositionEncoding>::add<Sinusoidal>("sines and cosines added to the embedding");

}  // namespace
}  // namespace rfs
