#include <cmath>

#include "rfs/encodings/encoding.h"

namespace rfs {
namespace {

/// RoPE (Su et al. 2024): the pair (2k, 2k + 1) of the first R dims of each query and key turns by
/// p base^(-2k/R). R is the even number nearest below share * head width.
class Rope : public PositionEncoding {
 public:
  struct Options : rfs::Options {
    Field<double> share{this, "share", 0.25, "share of each head's dims that turn", between(0.0, 1.0)};
    Field<double> base{this, "base", 10'000.0, "the slowest pair turns once in about base * 2 pi positions",
                       between(1.001, 1e12)};
  };
  explicit Rope(const Options& options) : options_(options) {}

  std::vector<double> rotate(int64_t head_width) const override {
    const auto pairs = static_cast<int64_t>(std::floor(*options_.share * static_cast<double>(head_width) / 2 + 1e-9));
    std::vector<double> frequencies;
    for (int64_t k = 0; k < pairs; ++k) {
      frequencies.push_back(std::pow(*options_.base, -static_cast<double>(k) / static_cast<double>(pairs)));
    }
    return frequencies;
  }

 private:
  Options options_;
};

const bool registered = Registry<PositionEncoding>::add<Rope>("rotary: queries and keys turn by their positions");

}  // namespace
}  // namespace rfs
