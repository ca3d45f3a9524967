#pragma once

#include <cuda_runtime.h>

#include <memory>
#include <string>

#include "rfs/ops/device_rows.h"

namespace rfs {

/// GPUs of several processes that share each batch, one GPU each. All of them make the same calls in the same order.
class DeviceGroup {
 public:
  DeviceGroup(int rank, int size) : rank_(rank), size_(size) {}
  virtual ~DeviceGroup() = default;

  int rank() const { return rank_; }
  int size() const { return size_; }

  /// A gradient's elements, and one number, become their sums over all processes, with the same bits on all of them.
  /// May be captured into a graph.
  virtual void sum(DType dtype, void* gradient, int64_t count, float* number, cudaStream_t stream) const = 0;

 private:
  int rank_, size_;
};

/// What names a group of NCCL; made by one process and told to the others. Empty where NCCL cannot start.
std::string new_group_name();
/// Waits for all `size` processes. Throws Error where they cannot meet; group_refusal (engine.h) says where none can.
std::unique_ptr<DeviceGroup> join_group(const std::string& name, int rank, int size);

}  // namespace rfs
