#pragma once

namespace rfs {

/// The widest vectors that the norm kernels take.
constexpr int widest_norm = 2048;

}  // namespace rfs
