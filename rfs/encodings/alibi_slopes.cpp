#include "rfs/encodings/alibi_slopes.h"

#include <bit>
#include <cmath>

namespace rfs {

std::vector<double> alibi_slopes(int64_t heads) {
  const auto slope = [](int64_t h, int64_t of) {
    return std::exp2(-8.0 * static_cast<double>(h) / static_cast<double>(of));
  };
  const auto whole = static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(heads)));
  std::vector<double> all;
  for (int64_t h = 1; h <= whole; ++h) all.push_back(slope(h, whole));
  for (int64_t h = 1; static_cast<int64_t>(all.size()) < heads; h += 2) all.push_back(slope(h, 2 * whole));
  return all;
}

}  // namespace rfs
