#include <algorithm>
#include <cmath>
#include <limits>

#include "rfs/positions/indexing.h"
#include "rfs/positions/sorted.h"

namespace rfs {
namespace {

/// CAPE for text (Likhomanenko et al. 2021). Training: p_i = (i + D + e_i) exp(u), i = 0 .. n - 1, with a shift D and a
/// log scale u per row and a jitter e_i per token, all uniform around 0. Inference: 0, 1, 2, ...
///
/// A jitter above .5 can swap neighbours. Positions are then sorted, because token order decides their order here.
class Cape : public PositionIndexing {
 public:
  struct Options : rfs::Options {
    Field<double> shift{this, "shift", 5.0, "largest shift |D| of a row", between(0.0, 1e6)};
    Field<double> jitter{this, "jitter", 1.0, "largest jitter |e_i| of a token", between(0.0, 1e6)};
    Field<double> scale{this, "scale", 1.03, "largest factor of a row, and 1 over the smallest", between(1.0, 1e3)};
  };
  explicit Cape(const Options& options) : options_(options) {}

  void train(Stream& stream, int64_t, std::span<float> positions) const override {
    require_row_fits(static_cast<int64_t>(positions.size()));
    const auto around_zero = [&](double largest) { return largest * (2 * stream.uniform() - 1); };
    const double shift = around_zero(*options_.shift), factor = std::exp(around_zero(std::log(*options_.scale)));
    std::vector<double> values(positions.size());
    for (size_t i = 0; i < values.size(); ++i) {
      values[i] = (static_cast<double>(i) + shift + around_zero(*options_.jitter)) * factor;
    }
    std::sort(values.begin(), values.end());
    round_distinct(values, std::numeric_limits<double>::infinity(), positions);
  }

  void infer(Stream&, int64_t, int64_t, std::span<float> positions) const override {
    require_row_fits(static_cast<int64_t>(positions.size()));
    for (size_t i = 0; i < positions.size(); ++i) positions[i] = static_cast<float>(i);
  }
  std::optional<double> even_step(int64_t, int64_t) const override { return 1; }

 private:
  Options options_;
};

const bool registered =
    Registry<PositionIndexing>::add<Cape>("CAPE: integers with random shift, scale and jitter in training");

}  // namespace
}  // namespace rfs
