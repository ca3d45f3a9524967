#include <nccl.h>

#include <cstdlib>
#include <cstring>

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/engine/device_group.h"
#include "rfs/engine/engine.h"

namespace rfs {
namespace {

void check_nccl(ncclResult_t code, const char* doing) {
  if (code == ncclSuccess) return;
  throw Error(rfs::format("NCCL: {} failed: {}; NCCL_DEBUG=WARN prints details", doing, ncclGetErrorString(code)));
}

class NcclGroup : public DeviceGroup {
 public:
  NcclGroup(const ncclUniqueId& id, int rank, int size) : DeviceGroup(rank, size) {
    check_nccl(ncclCommInitRank(&communicator_, size, id, rank), "joining a group of GPUs");
  }
  ~NcclGroup() override { ncclCommDestroy(communicator_); }

  void sum(DType dtype, void* gradient, int64_t count, float* number, cudaStream_t stream) const override {
    const auto type = dtype == DType::bf16 ? ncclBfloat16 : ncclFloat32;
    check_nccl(ncclGroupStart(), "adding up gradients");
    check_nccl(ncclAllReduce(gradient, gradient, static_cast<size_t>(count), type, ncclSum, communicator_, stream),
               "adding up gradients");
    check_nccl(ncclAllReduce(number, number, 1, ncclFloat32, ncclSum, communicator_, stream), "adding up losses");
    check_nccl(ncclGroupEnd(), "adding up gradients");
  }

 private:
  ncclComm_t communicator_ = nullptr;
};

}  // namespace

std::string group_refusal() {
  return "";
}

std::string new_group_name() {
  ncclUniqueId id;
  return ncclGetUniqueId(&id) == ncclSuccess ? std::string(id.internal, sizeof(id.internal)) : "";
}

std::unique_ptr<DeviceGroup> join_group(const std::string& name, int rank, int size) {
  ncclUniqueId id;
  if (name.size() != sizeof(id.internal))
    throw Error("NCCL: failed to start on rank 0; NCCL_DEBUG=WARN prints details");
  std::memcpy(id.internal, name.data(), name.size());
  // A process captures a step when it first meets its size. Processes do so at different times, so a capture must not
  // communicate with other processes.
  setenv("NCCL_GRAPH_REGISTER", "0", 0);
  return std::make_unique<NcclGroup>(id, rank, size);
}

}  // namespace rfs
