#pragma once

namespace rfs {

/// The largest width that the norm kernels support.
constexpr int widest_norm = 3072;

}  // namespace rfs
