// What a build with CUDA and without NCCL says.

#include "rfs/core/error.h"
#include "rfs/engine/device_group.h"
#include "rfs/engine/engine.h"

namespace rfs {

struct DeviceGroup::Inside {};

std::string group_refusal() {
  return "this build has no NCCL";
}
std::string DeviceGroup::new_name() {
  return "";
}
DeviceGroup::DeviceGroup(const std::string&, int rank, int size) : rank_(rank), size_(size) {
  throw Error("NCCL: must be there for several GPUs, got a build without it");
}
DeviceGroup::~DeviceGroup() = default;
void DeviceGroup::sum(Element, void*, int64_t, float*, cudaStream_t) const {}

}  // namespace rfs
