#include <cmath>

#include "rfs/encodings/encoding.h"

namespace rfs {
namespace {

/// Paper, equation 1: p_{i,2k} = sin(p_i / base^(2k/d)), p_{i,2k+1} = cos(p_i / base^(2k/d)), added unscaled.
class Sinusoidal : public PositionEncoding {
 public:
  struct Options : rfs::Options {
    Field<double> base{this, "base", 10'000.0, "the slowest sinusoid is about base * 2 pi positions long",
                       between(1.001, 1e12)};
  };
  explicit Sinusoidal(const Options& options) : options_(options) {}

  std::vector<double> sinusoids(int64_t width) const override {
    std::vector<double> frequencies;
    for (int64_t k = 0; k < (width + 1) / 2; ++k) {
      frequencies.push_back(std::pow(*options_.base, -2.0 * static_cast<double>(k) / static_cast<double>(width)));
    }
    return frequencies;
  }

 private:
  Options options_;
};

const bool registered = Registry<PositionEncoding>::add<Sinusoidal>("sines and cosines added to the embedding");

}  // namespace
}  // namespace rfs
