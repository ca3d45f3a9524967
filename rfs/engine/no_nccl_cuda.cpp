// Stubs for builds with CUDA but without NCCL.

#include "rfs/core/error.h"
#include "rfs/engine/device_group.h"
#include "rfs/engine/engine.h"

namespace rfs {

std::string group_refusal() {
  return "this build has no NCCL";
}
std::string new_group_name() {
  return "";
}
std::unique_ptr<DeviceGroup> join_group(const std::string&, int, int) {
  throw Error("NCCL: this build has no NCCL; rebuild with NCCL or use one GPU");
}

}  // namespace rfs
