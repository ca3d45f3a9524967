#pragma once

#include <cuda_runtime.h>

#include <memory>
#include <string>

#include "rfs/ops/device_rows.h"

namespace rfs {

/// The GPUs of several processes that share each batch, one GPU per process. All processes make the same calls in the
/// same order.
class DeviceGroup {
 public:
  DeviceGroup(int rank, int size) : rank_(rank), size_(size) {}
  virtual ~DeviceGroup() = default;

  int rank() const { return rank_; }
  int size() const { return size_; }

  /// Sums the gradient's elements and one number over all processes (all-reduce). All processes get the same bits. May
  /// be captured into a graph.
  virtual void sum(DType dtype, void* gradient, int64_t count, float* number, cudaStream_t stream) const = 0;

 private:
  int rank_, size_;
};

/// A unique name for an NCCL group. One process creates it and sends it to the others. Empty if NCCL cannot start.
std::string new_group_name();
/// Waits for all `size` processes. Throws Error if they cannot connect. group_refusal (engine.h) says why a build has
/// no groups.
std::unique_ptr<DeviceGroup> join_group(const std::string& name, int rank, int size);

}  // namespace rfs
