#pragma once

#include <cstdint>

namespace rfs {

/// Tokens of the longest row: up to here evenly spaced float32 positions are distinct.
constexpr int64_t longest_row = int64_t{1} << 23;

}  // namespace rfs
