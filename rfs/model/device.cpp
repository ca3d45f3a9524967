#include "rfs/model/device.h"

#include <torch/cuda.h>

#include "rfs/core/error.h"
#include "rfs/core/format.h"

namespace rfs {

torch::Device choose_device(DeviceChoice choice, const std::string& where) {
  const bool gpu = choice != DeviceChoice::cpu && torch::cuda::is_available();
  if (choice == DeviceChoice::cuda && !gpu) {
    throw Error(rfs::format("{}: must be auto or cpu on a machine without a CUDA GPU, got \"cuda\"", where));
  }
  return gpu ? torch::Device(torch::kCUDA, 0) : torch::Device(torch::kCPU);
}

}  // namespace rfs
