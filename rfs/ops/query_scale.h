#pragma once

#include "rfs/arithmetic/both.h"

namespace rfs {

/// How many terms the factors of queries may be made of.
constexpr int most_scale_terms = 2;

/// What the kernels of attention scale queries by: given numbers, or sum_k learned[k][h] terms[k][n] for a query that
/// is its row's n-th token.
struct QueryScale {
  const float* factors = nullptr;  ///< [N, heads]; null: made of terms
  int count = 0, stride = 0;       ///< of terms, float32 [count, stride], stride above every n
  const float* terms = nullptr;
  const float* learned[most_scale_terms] = {};  ///< [heads] each

  RFS_BOTH bool active() const { return factors || count > 0; }
  RFS_BOTH float of(long long token_and_head, int head, int n) const {
    if (factors) return factors[token_and_head];
    float factor = 0;
    RFS_UNROLL
    for (int k = 0; k < most_scale_terms; ++k) {
      if (k < count) factor += learned[k][head] * terms[k * stride + n];
    }
    return factor;
  }
};

}  // namespace rfs
