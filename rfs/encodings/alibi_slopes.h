#pragma once

#include <cstdint>
#include <vector>

namespace rfs {

/// ALiBi's slopes. For H = 2^m heads slope_h = 2^(-8h/H), h = 1 .. H. For other H: the slopes of the power of two P
/// below H, then every other one of those for 2P heads.
std::vector<double> alibi_slopes(int64_t heads);

}  // namespace rfs
