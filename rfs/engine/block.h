#pragma once

#include "rfs/device/memory.h"
#include "rfs/engine/long_attention.h"
#include "rfs/ops/query_scale.h"

namespace rfs {

/// Offsets of a block's parameters in the flat buffer; -1: it has none.
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
  int64_t learned[most_scale_terms] = {-1, -1};  ///< offsets of the tensors that its attention rule learns
  int64_t begin = 0, end = 0;                    ///< range of its parameters with weight decay
};

/// Activations of one block that the backward pass needs. In the last block, everything after attention has only the
/// rows of target tokens.
struct BlockKept {
  DeviceMemory y1, qkv, attention_output, log_sum, middle, y2, u, h, stream;
  DeviceMemory inverse1, inverse2, mean1, mean2;
  DeviceMemory branch1, branch2, weights;  // bits: what dropout kept
  DeviceMemory d_factors;                  // gradients of the query factors
  FlashKept flash;

  const void* attention_output_of(const DeviceAttention& a) const {
    return attention_kernel(a) == AttentionKernel::flash ? flash.out.const_data_ptr() : a.out;
  }
};

}  // namespace rfs
