#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "rfs/device/matmuls.h"
#include "rfs/device/memory.h"
#include "rfs/ops/adamw_launch.h"

namespace rfs {

/// Overlaps the weight update with the next forward pass. The update is limited by memory bandwidth, the pass by
/// arithmetic, so each gets a part of the multiprocessors.
struct DeviceUpdate {
  explicit DeviceUpdate(DType dtype)
      : blocks(std::max(1, multiprocessors() * 28 / 132)), matmuls(dtype, multiprocessors() - blocks) {}

  /// Multiprocessors left for the forward pass.
  int others() const { return multiprocessors() - blocks; }

  int blocks;                            ///< thread blocks of the update; 28 of an H200's 132 multiprocessors were best
  Matmuls matmuls;                       ///< for the forward pass
  std::optional<Update> now;             ///< the running update
  std::vector<const DeviceEvent*> done;  ///< one event per decoder block: its weights are up to date
};

}  // namespace rfs
