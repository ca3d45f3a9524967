#pragma once

#include <cstdint>
#include <vector>

#include "rfs/core/random.h"

namespace rfs {

/// `count` different numbers below `population`, in random order: every ordered choice is equally likely.
std::vector<uint64_t> draw_distinct(Stream& stream, uint64_t population, uint64_t count);

/// `count` different indices of `weights`, drawn one after the other without replacement: each draw takes an index with
/// probability proportional to its weight among those left.
std::vector<uint64_t> draw_weighted(Stream& stream, const std::vector<double>& weights, uint64_t count);

}  // namespace rfs
