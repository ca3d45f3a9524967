#pragma once

#include <cuda_runtime.h>

#include <memory>
#include <string>

#include "rfs/ops/device_rows.h"

namespace rfs {

/// GPUs of several processes that add up their gradients, one GPU each (NCCL). All of them make the same calls in the
/// same order. group_refusal (engine.h) says where there is none.
class DeviceGroup {
 public:
  /// What names a group; made by one process and told to the others. Empty where NCCL cannot start.
  static std::string new_name();
  /// Waits for all `size` processes. Throws Error where they cannot meet.
  DeviceGroup(const std::string& name, int rank, int size);
  ~DeviceGroup();

  int rank() const { return rank_; }
  int size() const { return size_; }

  /// A gradient's elements, and one number, become their sums over all processes, with the same bits on all of them.
  /// May be captured into a graph.
  void sum(Element element, void* gradient, int64_t count, float* number, cudaStream_t stream) const;

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
  int rank_, size_;
};

}  // namespace rfs
