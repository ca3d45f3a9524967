#pragma once

#include <torch/types.h>

#include <string>

#include "rfs/core/choices.h"

namespace rfs {

/// The device for a choice. `automatic` is the GPU if there is one, else the CPU. Throws an Error that names the
/// setting `where` if CUDA is requested on a machine without a GPU.
torch::Device choose_device(DeviceChoice choice, const std::string& where);

}  // namespace rfs
