#include "rfs/core/statistics.h"

#include <algorithm>
#include <cmath>

namespace rfs {

Interval wilson(int64_t correct, int64_t total, double z) {
  if (total == 0) return {0, 1};
  const double n = static_cast<double>(total), share = static_cast<double>(correct) / n;
  const double centre = share + z * z / (2 * n);
  const double half = z * std::sqrt(share * (1 - share) / n + z * z / (4 * n * n));
  const double scale = 1 + z * z / n;
  return {std::max(0.0, (centre - half) / scale), std::min(1.0, (centre + half) / scale)};
}

}  // namespace rfs
