#include <fmt/format.h>
#include <nccl.h>

#include <cstdlib>
#include <cstring>

#include "rfs/core/error.h"
#include "rfs/engine/device_group.h"
#include "rfs/engine/engine.h"

namespace rfs {
namespace {

void check_nccl(ncclResult_t code, const char* doing) {
  if (code == ncclSuccess) return;
  throw Error(
      fmt::format("NCCL: must succeed in {}, got {} (NCCL_DEBUG=WARN says more)", doing, ncclGetErrorString(code)));
}

}  // namespace

struct DeviceGroup::Inside {
  ncclComm_t communicator = nullptr;
};

std::string group_refusal() {
  return "";
}

std::string DeviceGroup::new_name() {
  ncclUniqueId id;
  return ncclGetUniqueId(&id) == ncclSuccess ? std::string(id.internal, sizeof(id.internal)) : "";
}

DeviceGroup::DeviceGroup(const std::string& name, int rank, int size)
    : inside_(std::make_unique<Inside>()), rank_(rank), size_(size) {
  // A process captures a step when it first meets its size, each at a time of its own, so that a capture must not
  // exchange anything with the others.
  setenv("NCCL_GRAPH_REGISTER", "0", 0);
  ncclUniqueId id;
  if (name.size() != sizeof(id.internal)) throw Error("NCCL: must start on the first rank, got an error there");
  std::memcpy(id.internal, name.data(), name.size());
  check_nccl(ncclCommInitRank(&inside_->communicator, size, id, rank), "joining a group of GPUs");
}

DeviceGroup::~DeviceGroup() {
  ncclCommDestroy(inside_->communicator);
}

void DeviceGroup::sum(Element element, void* gradient, int64_t count, float* number, cudaStream_t stream) const {
  const auto type = element == Element::bf16 ? ncclBfloat16 : ncclFloat32;
  const ncclComm_t communicator = inside_->communicator;
  check_nccl(ncclGroupStart(), "adding up gradients");
  check_nccl(ncclAllReduce(gradient, gradient, static_cast<size_t>(count), type, ncclSum, communicator, stream),
             "adding up gradients");
  check_nccl(ncclAllReduce(number, number, 1, ncclFloat32, ncclSum, communicator, stream), "adding up losses");
  check_nccl(ncclGroupEnd(), "adding up gradients");
}

}  // namespace rfs
