#pragma once

#include <cstdint>
#include <vector>

namespace rfs {

struct Interval {
  double low, high;
};

/// Wilson score interval for the proportion `correct` / `total` at z standard deviations (1.96: 95 %). [0, 1] if there
/// are no samples.
Interval wilson(int64_t correct, int64_t total, double z = 1.959963984540054);

/// The chance that a standard normal variable is at least as far from 0 as z.
double normal_p(double z);

/// The same for Student's t with some degrees of freedom.
double student_p(double t, double degrees);

/// The t that Student's variable exceeds in absolute value with probability `p`: 2.776 for 4 degrees and p = .05.
double student_quantile(double degrees, double p = 0.05);

/// Holm's correction for many comparisons: each p-value becomes the smallest level at which its comparison is
/// significant when all of them are tested together.
std::vector<double> holm(const std::vector<double>& p_values);

}  // namespace rfs
