#pragma once

#include "rfs/engine/long_attention.h"
#include "rfs/engine/memory.h"

namespace rfs {

/// What one block leaves for the backward pass; of the last block, after its attention, rows of target tokens alone.
struct BlockKept {
  DeviceMemory y1, qkv, heard, log_sum, middle, y2, u, h, stream;
  DeviceMemory inverse1, inverse2, mean1, mean2;
  DeviceMemory branch1, branch2, weights;  // what dropout left, as bits
  FlashKept flash;

  const void* heard_by(const DeviceAttention& a) const { return flash_fits(a) ? flash.out.const_data_ptr() : a.out; }
};

}  // namespace rfs
