#pragma once

#include <cstdint>

namespace rfs {

/// Maximum row length in tokens: up to this length, evenly spaced float32 positions are distinct.
constexpr int64_t longest_row = int64_t{1} << 23;

}  // namespace rfs
