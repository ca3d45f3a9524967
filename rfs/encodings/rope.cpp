#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/encodings/encoding.h"
#include "rfs/encodings/rope_scaling.h"

namespace rfs {

namespace {

/// RoPE (Su et al. 2024): the pair (2k, 2k + 1) of the first R dims of each query and key is rotated by p base^(-2k/R).
/// R is the even number nearest below share * head width. p-RoPE (Barbero et al. 2025) rotates only the pairs with the
/// highest frequencies, floor(kept R / 2) of them.
class Rope : public PositionEncoding {
 public:
  struct Options : rfs::Options {
    Field<double> share{this, "share", 0.25, "share of each head's dims that are rotated", between(0.0, 1.0)};
    Field<double> base{this, "base", 10'000.0, "the slowest pair rotates once in about base * 2 pi positions",
                       between(1.001, 1e12)};
    Field<double> kept{this, "kept", 1.0, "share of the frequencies that are kept, the highest ones first (p-RoPE)",
                       between(0.0, 1.0)};
    Field<RopeScaling> scaling{this, "scaling", RopeScaling::none,
                               "how frequencies change for inputs beyond the trained length"};
    Field<double> factor{this, "factor", 1.0, "scaling: the factor s, such as 4 for four times the trained length",
                         between(1.0, 1e6)};
    Field<int64_t> original_length{
        this, "original_length", 0,
        "scaling: n0, the length that the model was trained on (dynamic_ntk, yarn, longrope, "
        "llama3)",
        at_least<int64_t>(0)};
    Field<std::vector<double>> factors{this, "factors", {}, "scaling: longrope's factors, one per rotated pair"};
  };
  explicit Rope(const Options& options) : options_(options) {
    const auto needs_length = [&] {
      switch (*options_.scaling) {
        case RopeScaling::none:
        case RopeScaling::linear:
        case RopeScaling::ntk:
          return false;
        case RopeScaling::dynamic_ntk:
        case RopeScaling::yarn:
        case RopeScaling::longrope:
        case RopeScaling::llama3:
          return true;
      }
      return false;
    };
    if (needs_length() && options_.original_length < 2) {
      throw Error(rfs::format("encoding.original_length: must be the trained length in tokens for scaling {}, got {}",
                              enum_name(*options_.scaling), *options_.original_length));
    }
  }

  std::vector<double> rotate(int64_t head_width) const override { return frequencies(head_width, options_.factor); }

  double rotation_scale() const override {
    switch (*options_.scaling) {
      case RopeScaling::none:
      case RopeScaling::linear:
      case RopeScaling::ntk:
      case RopeScaling::dynamic_ntk:
      case RopeScaling::llama3:
        return 1;
      case RopeScaling::yarn:
        return 0.1 * std::log(*options_.factor) + 1;
      case RopeScaling::longrope:
        return std::sqrt(1 + std::log(*options_.factor) / std::log(static_cast<double>(*options_.original_length)));
    }
    return 1;
  }

  bool rotates_by_length() const override { return *options_.scaling == RopeScaling::dynamic_ntk; }
  std::vector<double> rotate_for(int64_t input, int64_t head_width) const override {
    const double longer =
        static_cast<double>(input) / static_cast<double>(std::max<int64_t>(1, options_.original_length));
    return frequencies(head_width, longer > 1 ? *options_.factor * longer - (*options_.factor - 1) : 1);
  }

 private:
  std::vector<double> frequencies(int64_t head_width, double factor) const {
    const auto pairs = static_cast<int64_t>(std::floor(*options_.share * static_cast<double>(head_width) / 2 + 1e-9));
    const auto kept = static_cast<int64_t>(std::floor(*options_.kept * static_cast<double>(pairs) + 1e-9));
    std::vector<double> frequencies;
    for (int64_t k = 0; k < kept; ++k) frequencies.push_back(frequency(k, pairs, factor));
    return frequencies;
  }

  double frequency(int64_t k, int64_t pairs, double factor) const {
    const double exponent = -static_cast<double>(k) / static_cast<double>(pairs);
    const double plain = std::pow(*options_.base, exponent);
    switch (*options_.scaling) {
      case RopeScaling::none:
        return plain;
      case RopeScaling::linear:
        return plain / factor;
      case RopeScaling::ntk:
      case RopeScaling::dynamic_ntk: {
        const double dims = 2 * static_cast<double>(pairs);
        const double power = dims > 2 ? dims / (dims - 2) : 1;
        return std::pow(*options_.base * std::pow(factor, power), exponent);
      }
      case RopeScaling::yarn: {
        const double interpolated = yarn_ramp(static_cast<double>(k), static_cast<double>(pairs));
        return plain * (1 - interpolated) + plain / factor * interpolated;
      }
      case RopeScaling::longrope:
        return plain / longrope_factor(k, pairs);
      case RopeScaling::llama3: {
        const double rotations = static_cast<double>(*options_.original_length) * plain / (2 * std::numbers::pi);
        const double kept = std::clamp((rotations - 1) / 3, 0.0, 1.0);
        return plain * kept + plain / factor * (1 - kept);
      }
    }
    return plain;
  }

  /// 0 for pairs that rotate more than 32 times within n0 tokens, 1 for those that rotate less than once.
  double yarn_ramp(double k, double pairs) const {
    const auto pair_of = [&](double rotations) {
      return pairs * std::log(static_cast<double>(*options_.original_length) / (rotations * 2 * std::numbers::pi)) /
             std::log(*options_.base);
    };
    const double low = std::max(0.0, std::floor(pair_of(32))), high = std::min(2 * pairs - 1, std::ceil(pair_of(1)));
    return std::clamp((k - low) / (high > low ? high - low : 0.001), 0.0, 1.0);
  }

  double longrope_factor(int64_t k, int64_t pairs) const {
    if (static_cast<int64_t>(options_.factors->size()) != pairs) {
      throw Error(rfs::format("encoding.factors: must have one number per rotated pair of dims, {}, got {}", pairs,
                              options_.factors->size()));
    }
    return (*options_.factors)[static_cast<size_t>(k)];
  }

  Options options_;
};

const bool registered = Registry<PositionEncoding>::add<Rope>("RoPE: rotates queries and keys by their positions");

}  // namespace
}  // namespace rfs
