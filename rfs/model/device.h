#pragma once

#include <torch/types.h>

#include <string>

#include "rfs/core/choices.h"

namespace rfs {

/// The device of a choice; automatic: the GPU if there is one, else the CPU. Throws Error that names the key `where` on
/// a machine without a CUDA GPU.
torch::Device choose_device(DeviceChoice choice, const std::string& where);

}  // namespace rfs
