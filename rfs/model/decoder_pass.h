#pragma once

#include <optional>

#include "rfs/model/decoder.h"

namespace rfs {

/// The input of a pass of a Decoder: `device` for the kernels, else the other two.
struct DecoderPass {
  Batch batch = {};
  Dropout dropout = {};
  std::optional<BatchOnDevice> device = {};
};

}  // namespace rfs
