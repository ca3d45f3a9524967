#pragma once

#include <torch/types.h>

#include <string>

namespace rfs {

/// The device of "auto" (the GPU where there is one, else the CPU), "cpu" or "cuda". Throws Error that names the key
/// `where` on a machine without a CUDA GPU.
torch::Device choose_device(const std::string& name, const std::string& where);

}  // namespace rfs
