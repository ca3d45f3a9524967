#include "rfs/positions/sorted.h"

#include <cmath>
#include <numbers>

#include "rfs/arithmetic/draws.h"
#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/positions/indexing.h"

namespace rfs {

namespace {

/// Cumulative sums of the first `count` of `total` + 1 gaps, divided by the sum of all.
template <class Gap>
std::vector<double> spaced(int64_t total, int64_t count, const Gap& gap) {
  std::vector<double> sums(static_cast<size_t>(count));
  double sum = 0;
  for (int64_t i = 0; i < total; ++i) {
    sum += gap();
    if (i < count) sums[static_cast<size_t>(i)] = sum;
  }
  sum += gap();
  for (double& value : sums) value = share_of_gaps(value, sum);
  return sums;
}

}  // namespace

std::vector<double> sorted_uniforms(Stream& stream, int64_t total, int64_t count) {
  return spaced(total, count, [&] { return stream.exponential(); });
}

std::vector<double> gamma_spaced(Stream& stream, double shape, int64_t total, int64_t count) {
  return spaced(total, count, [&] { return gamma_draw(stream, shape); });
}

double gamma_draw(Stream& stream, double shape) {
  if (shape < 1) return gamma_draw(stream, shape + 1) * std::exp(-stream.exponential() / shape);
  const double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  while (true) {
    const double x = stream.normal(), v = std::pow(1 + c * x, 3);
    if (v > 0 && -stream.exponential() < x * x / 2 + d - d * v + d * std::log(v)) return d * v;
  }
}

void round_distinct(std::span<const double> values, double limit, std::span<float> positions) {
  round_distinct(values.data(), static_cast<int64_t>(values.size()), limit, positions.data());
}

double normal_quantile(double u) {
  // Acklam's rational approximation (relative error 1e-9), then one Halley step against erfc.
  constexpr double a[] = {-3.969683028665376e+01, 2.209460984245205e+02,  -2.759285104469687e+02,
                          1.383577518672690e+02,  -3.066479806614716e+01, 2.506628277459239e+00};
  constexpr double b[] = {-5.447609879822406e+01, 1.615858368580409e+02,  -1.556989798598866e+02,
                          6.680131188771972e+01,  -1.328068155288572e+01, 1.0};
  constexpr double c[] = {-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
                          -2.549732539343734e+00, 4.374664141464968e+00,  2.938163982698783e+00};
  constexpr double d[] = {7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00, 3.754408661907416e+00,
                          1.0};
  const auto polynomial = [](std::span<const double> coefficients, double x) {
    double sum = 0;
    for (const double coefficient : coefficients) sum = sum * x + coefficient;
    return sum;
  };
  if (u > 0.5) return -normal_quantile(1 - u);
  double x;
  if (u < 0.02425) {
    const double q = std::sqrt(-2 * std::log(u));
    x = polynomial(c, q) / polynomial(d, q);
  } else {
    const double q = u - 0.5;
    x = q * polynomial(a, q * q) / polynomial(b, q * q);
  }
  const double error = 0.5 * std::erfc(-x / std::numbers::sqrt2) - u;
  const double step = error * std::sqrt(2 * std::numbers::pi) * std::exp(x * x / 2);
  return x - step / (1 + x * step / 2);
}

void require_row_fits(int64_t tokens) {
  if (tokens > PositionIndexing::longest_row) {
    throw Error(rfs::format("positions: a row must have at most {} tokens (float32 positions would coincide), got {}",
                            PositionIndexing::longest_row, tokens));
  }
}

}  // namespace rfs
