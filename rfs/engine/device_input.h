#pragma once

#include "rfs/ops/device_rows.h"

namespace rfs {

/// A batch in the GPU's memory. Its arrays may change between uses, their places and sizes may not.
struct DeviceInput {
  DeviceRows rows;                                      ///< with the positions of the first track
  int64_t track_stride = 0;                             ///< how far the positions of the next track are
  const int32_t* ids = nullptr;                         ///< [N]
  int targets = 0;                                      ///< M
  const int32_t *predict = nullptr, *labels = nullptr;  ///< [M]; label -1: no target
  const int32_t* target_of = nullptr;                   ///< [N] which target follows a token, or -1
  const int32_t* real_targets = nullptr;                ///< how many labels are not -1
  DeviceDropout dropout;
};

}  // namespace rfs
