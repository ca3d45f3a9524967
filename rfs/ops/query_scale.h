#pragma once

#include "rfs/arithmetic/both.h"

namespace rfs {

/// Maximum number of terms in a query factor.
constexpr int most_scale_terms = 2;

/// The factors by which attention kernels multiply queries: given numbers, or sum_k learned[k][h] terms[k][n] for head
/// h and the n-th token of a row (n counts from 1).
struct QueryScale {
  const float* factors = nullptr;  ///< [N, heads]; null: computed from the terms
  int count = 0, stride = 0;       ///< of the terms, float32 [count, stride]; stride is larger than every n
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
