#pragma once

#include "rfs/ops/device_rows.h"
#include "rfs/ops/dropout.h"

namespace rfs {

/// A batch in the GPU's memory. Its arrays may change between uses, their places and sizes may not.
struct DeviceInput {
  DeviceRows rows;
  const int32_t* ids = nullptr;                         ///< [N]
  int targets = 0;                                      ///< M
  const int32_t *predict = nullptr, *labels = nullptr;  ///< [M]; label -1: no target
  const int32_t* place = nullptr;                       ///< [N] which target follows a token, or -1
  const int32_t* real_targets = nullptr;                ///< how many labels are not -1
  DeviceDropout dropout;
};

/// `dropout` for kernels; its samples travel with the rows.
inline DeviceDropout device_dropout(const Dropout& dropout) {
  if (!dropout.active()) return {};
  const uint32_t dropped = dropout.threshold();
  return {dropped, 65536.f / static_cast<float>(65536 - dropped), dropout.key};
}

}  // namespace rfs
