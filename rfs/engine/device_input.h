#pragma once

#include "rfs/ops/device_rows.h"

namespace rfs {

/// A batch in GPU memory. The contents of its arrays may change between uses, but not their addresses and sizes.
struct DeviceInput {
  DeviceRows rows;                                      ///< with the positions of the first track
  int64_t track_stride = 0;                             ///< distance between the positions of two tracks
  const int32_t* ids = nullptr;                         ///< [N]
  int targets = 0;                                      ///< M
  const int32_t *predict = nullptr, *labels = nullptr;  ///< [M]; label -1: no target
  const int32_t* target_of = nullptr;                   ///< [N] the target that follows a token, or -1
  const int32_t* real_targets = nullptr;                ///< number of labels that are not -1
  DeviceDropout dropout;
};

}  // namespace rfs
