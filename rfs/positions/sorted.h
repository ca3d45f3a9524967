#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rfs/core/random.h"

namespace rfs {

/// The first `count` of `total` sorted uniform draws from [0, 1). Cumulative sums of exponential gaps, divided by the
/// total, have this distribution, so nothing needs sorting.
std::vector<double> sorted_uniforms(Stream& stream, int64_t total, int64_t count);

/// The same with gaps from Gamma(shape, 1) instead of the exponential distribution, which is Gamma(1, 1).
std::vector<double> gamma_spaced(Stream& stream, double shape, int64_t total, int64_t count);

/// A draw from Gamma(shape, 1), shape > 0 (Marsaglia and Tsang 2000).
double gamma_draw(Stream& stream, double shape);

/// Rounds sorted values to float32 and keeps them sorted and distinct: a value that would not exceed its predecessor
/// moves to the next float. Results lie below `limit` (infinity: no limit).
void round_distinct(std::span<const double> values, double limit, std::span<float> positions);

/// Inverse of the standard normal distribution function on (0, 1), to about 1e-15 relative.
double normal_quantile(double u);

/// Throws Error if a row of `tokens` tokens is longer than PositionIndexing::longest_row.
void require_row_fits(int64_t tokens);

}  // namespace rfs
