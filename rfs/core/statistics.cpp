#include "rfs/core/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace rfs {

Interval wilson(int64_t correct, int64_t total, double z) {
  if (total == 0) return {0, 1};
  const double n = static_cast<double>(total), share = static_cast<double>(correct) / n;
  const double centre = share + z * z / (2 * n);
  const double half = z * std::sqrt(share * (1 - share) / n + z * z / (4 * n * n));
  const double scale = 1 + z * z / n;
  return {std::max(0.0, (centre - half) / scale), std::min(1.0, (centre + half) / scale)};
}

/// The regularized incomplete beta function I_x(a, b), by its continued fraction (Lentz's method).
static double incomplete_beta(double x, double a, double b) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incomplete_beta(1 - x, b, a);  // where the fraction converges quickly
  constexpr double tiny = 1e-300, precision = 1e-15;
  const auto bounded = [&](double value) { return std::abs(value) < tiny ? tiny : value; };
  double c = 1, d = 1 / bounded(1 - (a + b) * x / (a + 1)), fraction = d;
  for (int m = 1; m < 10'000; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    double change = 1;
    for (const double term : {even, odd}) {
      d = 1 / bounded(1 + term * d);
      c = bounded(1 + term / c);
      change = c * d;
      fraction *= change;
    }
    if (std::abs(change - 1) < precision) break;
  }
  const double log_front = std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x);
  return std::exp(log_front) * fraction / a;
}

double normal_p(double z) {
  return std::erfc(std::abs(z) / std::sqrt(2.0));
}

double student_p(double t, double degrees) {
  return incomplete_beta(degrees / (degrees + t * t), degrees / 2, 0.5);
}

double student_quantile(double degrees, double p) {
  double low = 0, high = 1;
  while (student_p(high, degrees) > p) high *= 2;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (student_p(middle, degrees) > p ? low : high) = middle;
  }
  return high;
}

std::vector<double> holm(const std::vector<double>& p_values) {
  std::vector<size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return p_values[a] < p_values[b]; });
  std::vector<double> corrected(p_values.size());
  double highest = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    highest = std::max(highest, p_values[order[i]] * static_cast<double>(order.size() - i));
    corrected[order[i]] = std::min(1.0, highest);
  }
  return corrected;
}

}  // namespace rfs
