#include "rfs/model/device.h"

#include <torch/cuda.h>

#include "rfs/core/error.h"
#include "rfs/core/format.h"

namespace rfs {

torch::Device choose_device(const std::string& name, const std::string& where) {
  const bool gpu = name != "cpu" && torch::cuda::is_available();
  if (name == "cuda" && !gpu) {
    throw Error(rfs::format("{}: must be auto or cpu on a machine without a CUDA GPU, got \"{}\"", where, name));
  }
  return gpu ? torch::Device(torch::kCUDA, 0) : torch::Device(torch::kCPU);
}

}  // namespace rfs
