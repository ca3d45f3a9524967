#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "rfs/device/matmuls.h"
#include "rfs/device/memory.h"
#include "rfs/ops/adamw_launch.h"

namespace rfs {

/// The weights' update beside the next forward pass: the one needs memory, the other arithmetic, so each gets a part of
/// the multiprocessors.
struct DeviceUpdate {
  explicit DeviceUpdate(DType dtype)
      : blocks(std::max(1, multiprocessors() * 28 / 132)), matmuls(dtype, multiprocessors() - blocks) {}

  /// Multiprocessors that the pass has.
  int others() const { return multiprocessors() - blocks; }

  int blocks;                            ///< of threads, for the update; of an H200's 132 multiprocessors 28 were best
  Matmuls matmuls;                       ///< for the pass
  std::optional<Update> now;             ///< the one that runs
  std::vector<const DeviceEvent*> done;  ///< when each of the decoder's blocks is up to date
};

}  // namespace rfs
