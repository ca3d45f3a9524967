#pragma once

namespace rfs {

/// How many terms the factors of queries may be made of on a GPU.
constexpr int most_scale_terms = 2;

}  // namespace rfs
