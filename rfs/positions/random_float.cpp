#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string_view>

#include "rfs/positions/indexing.h"
#include "rfs/positions/sorted.h"

namespace rfs {
namespace {

enum class Draw { sequence, window };
constexpr auto enum_names(Draw) {
  return std::array<std::string_view, 2>{"sequence", "window"};
}

enum class Distribution { uniform, normal, beta };
constexpr auto enum_names(Distribution) {
  return std::array<std::string_view, 3>{"uniform", "normal", "beta"};
}

enum class Inference { even, quantile };
constexpr auto enum_names(Inference) {
  return std::array<std::string_view, 2>{"even", "quantile"};
}

/// Random Float Sampling, the paper's method (section 3). Training: n draws from a distribution over [0, 1), sorted,
/// times L. Inference: p_i = L (2i - 1) / (2 max(n_tr, n_in)), i = 1 .. n_in.
///
/// Sorted draws from any distribution are its quantile function of sorted uniforms, so a distribution is its
/// quantile function Q: uniform u; normal 0.5 + 0.2 ndtri(u), not truncated; Beta(1/2, 1/2) sin^2(pi u / 2).
/// `inference = quantile` (the paper's "cdf" rows) applies Q to the even spacing.
///
/// Two variations change the training draw: gaps from a Gamma distribution (`gap_shape`), and a random sub-range per
/// sequence (`smallest_share`), so that the model also sees dense spacings.
class RandomFloat : public PositionIndexing {
 public:
  struct Options : rfs::Options {
    Field<double> range{this, "range", 1000.0, "L: positions lie in [0, L) (normal: about L / 2)", between(1e-3, 1e9)};
    Field<Draw> draw{this, "draw", Draw::sequence,
                     "training draw over each sequence's own length, or over a window of n_tr of which a short "
                     "sequence takes the first entries"};
    Field<Distribution> distribution{this, "distribution", Distribution::uniform,
                                     "training distribution: uniform, normal N(0.5, 0.2) or beta B(0.5, 0.5), times L"};
    Field<Inference> inference{this, "inference", Inference::even,
                               "inference positions: evenly spaced, or evenly spaced quantiles of the distribution"};
    Field<double> gap_shape{this, "gap_shape", 1.0,
                            "shape a of the Gamma distribution of gaps between training draws: 1 for independent "
                            "draws, large values for nearly even spacing",
                            between(0.05, 1e4)};
    Field<double> smallest_share{this, "smallest_share", 1.0,
                                 "smallest share of [0, L) that a training sequence covers: its share s is uniform "
                                 "between this and 1, its start uniform in [0, 1 - s)",
                                 between(0.001, 1.0)};
  };
  explicit RandomFloat(const Options& options) : options_(options) {}

  void train(Stream& stream, int64_t trained, std::span<float> positions) const override {
    const auto tokens = static_cast<int64_t>(positions.size());
    require_row_fits(tokens);
    double share = 1, start = 0;
    if (*options_.smallest_share < 1) {
      share = *options_.smallest_share + (1 - *options_.smallest_share) * stream.uniform();
      start = (1 - share) * stream.uniform();
    }
    const int64_t drawn = draws(trained, tokens);
    auto values = *options_.gap_shape == 1 ? sorted_uniforms(stream, drawn, tokens)
                                           : gamma_spaced(stream, *options_.gap_shape, drawn, tokens);
    for (double& value : values) value = *options_.range * quantile(start + share * value);
    round_distinct(values, limit(), positions);
  }

  std::optional<TrainDraw> train_draw() const override {
    // The quantile functions of the other distributions differ in the last bit from one library to the next.
    if (*options_.distribution != Distribution::uniform || *options_.gap_shape != 1 || *options_.smallest_share < 1) {
      return std::nullopt;
    }
    return TrainDraw{TrainDraw::Kind::sorted_floats, options_.range, *options_.draw == Draw::window};
  }

  void infer(Stream&, int64_t trained, int64_t input, std::span<float> positions) const override {
    require_row_fits(input);
    const double slots = static_cast<double>(std::max(trained, input));
    std::vector<double> values(positions.size());
    for (size_t i = 0; i < values.size(); ++i) {
      const double u = (2 * static_cast<double>(i) + 1) / (2 * slots);
      values[i] = *options_.range * inferred(u);
    }
    round_distinct(values, limit(), positions);
  }

  std::optional<double> even_step(int64_t trained, int64_t input) const override {
    if (*options_.inference != Inference::even && *options_.distribution != Distribution::uniform) return std::nullopt;
    return *options_.range / static_cast<double>(std::max(trained, input));
  }

 private:
  /// Numbers to draw for a row, of which it takes the first `tokens`.
  int64_t draws(int64_t trained, int64_t tokens) const {
    switch (*options_.draw) {
      case Draw::sequence:
        return tokens;
      case Draw::window:
        return std::max(trained, tokens);
    }
    return tokens;
  }

  double quantile(double u) const {
    switch (*options_.distribution) {
      case Distribution::uniform:
        return u;
      case Distribution::normal:
        return 0.5 + 0.2 * normal_quantile(u);
      case Distribution::beta:
        return std::pow(std::sin(std::numbers::pi * u / 2), 2);
    }
    return u;
  }

  double inferred(double u) const {
    switch (*options_.inference) {
      case Inference::even:
        return u;
      case Inference::quantile:
        return quantile(u);
    }
    return u;
  }

  double limit() const {
    switch (*options_.distribution) {
      case Distribution::normal:
        return std::numeric_limits<double>::infinity();
      case Distribution::uniform:
      case Distribution::beta:
        return *options_.range;
    }
    return *options_.range;
  }

  Options options_;
};

const bool registered = Registry<PositionIndexing>::add<RandomFloat>(
    "Random Float Sampling: sorted random floats, evenly spaced at inference");

}  // namespace
}  // namespace rfs
