#pragma once

#include "rfs/device/memory.h"
#include "rfs/engine/long_attention.h"
#include "rfs/ops/query_scale.h"

namespace rfs {

/// Where a block's parameters begin in the flat buffer; -1: it has none.
struct DeviceLinear {
  int64_t weight = 0, bias = -1;
  int in = 0, out = 0;
};
struct DeviceNorm {
  int64_t weight = 0, bias = -1;
};
struct DeviceBlock {
  DeviceNorm attention_norm, feed_norm;
  DeviceLinear qkv, out, feed_in, feed_out;
  int64_t learned[most_scale_terms] = {-1, -1};  ///< what its attention rule learns
  int64_t begin = 0, end = 0;                    ///< its parameters with weight decay
};

/// What one block leaves for the backward pass; of the last block, after its attention, rows of target tokens alone.
struct BlockKept {
  DeviceMemory y1, qkv, attention_output, log_sum, middle, y2, u, h, stream;
  DeviceMemory inverse1, inverse2, mean1, mean2;
  DeviceMemory branch1, branch2, weights;  // what dropout left, as bits
  DeviceMemory d_factors;                  // of scaled queries
  FlashKept flash;

  const void* attention_output_of(const DeviceAttention& a) const {
    return flash_fits(a) ? flash.out.const_data_ptr() : a.out;
  }
};

}  // namespace rfs
