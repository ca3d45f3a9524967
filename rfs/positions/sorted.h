#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rfs/core/random.h"

namespace rfs {

/// The first `count` of `total` sorted uniform draws from [0, 1): sums of exponential spacings over their total have
/// that law, so nothing is sorted.
std::vector<double> sorted_uniforms(Stream& stream, int64_t total, int64_t count);

/// Rounds sorted values to float32 so that they stay sorted and distinct: a value that would fall on or below its
/// predecessor moves to the next float. Results lie below `limit` (use infinity for none).
void round_distinct(std::span<const double> values, double limit, std::span<float> positions);

/// Inverse of the standard normal distribution function on (0, 1), to about 1e-15 relative.
double normal_quantile(double u);

/// Throws Error where a row of `tokens` is longer than PositionIndexing::longest_row.
void require_row_fits(int64_t tokens);

}  // namespace rfs
