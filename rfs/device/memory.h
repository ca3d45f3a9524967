#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rfs {

/// Throws Error if a CUDA call failed. `doing` names the failed action.
void check_cuda(cudaError_t code, const char* doing);

/// GPU memory, freed with the object. If memory runs out, the constructor throws an Error that says what to change.
class DeviceMemory {
 public:
  DeviceMemory() = default;
  explicit DeviceMemory(size_t bytes);
  ~DeviceMemory();
  DeviceMemory(DeviceMemory&& other) noexcept;
  DeviceMemory& operator=(DeviceMemory&& other) noexcept;

  size_t bytes() const { return bytes_; }
  template <class T>
  T* as() const {
    return static_cast<T*>(pointer_);
  }

 private:
  void* pointer_ = nullptr;
  size_t bytes_ = 0;
};

template <class T>
DeviceMemory device_array(size_t count) {
  return DeviceMemory(count * sizeof(T));
}
/// Waits for copies and fills on the default stream, because this project's streams do not wait for them. (Do not
/// synchronize the device instead: that would invalidate another thread's graph capture.)
void finish_copies();
/// Copies a vector or span to the GPU.
template <class Values>
DeviceMemory device_copy(const Values& values) {
  DeviceMemory memory(values.size() * sizeof(*values.data()));
  if (!values.empty()) {
    check_cuda(cudaMemcpy(memory.as<void>(), values.data(), memory.bytes(), cudaMemcpyHostToDevice),
               "copying to the GPU");
    finish_copies();
  }
  return memory;
}

/// Page-locked host memory, which the GPU reads and writes directly.
class PinnedMemory {
 public:
  explicit PinnedMemory(size_t bytes);
  ~PinnedMemory();
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;
  void* get() const { return pointer_; }
  size_t bytes() const { return bytes_; }

 private:
  void* pointer_ = nullptr;
  size_t bytes_;
};

/// A CUDA stream, destroyed with the object.
class DeviceStream {
 public:
  /// `urgent`: high priority; its blocks are scheduled before those of other streams.
  explicit DeviceStream(bool urgent = false);
  ~DeviceStream();
  DeviceStream(const DeviceStream&) = delete;
  DeviceStream& operator=(const DeviceStream&) = delete;
  operator cudaStream_t() const { return stream_; }
  void wait() const;

 private:
  cudaStream_t stream_ = nullptr;
};

class DeviceEvent {
 public:
  DeviceEvent();
  ~DeviceEvent();
  DeviceEvent(const DeviceEvent&) = delete;
  DeviceEvent& operator=(const DeviceEvent&) = delete;
  operator cudaEvent_t() const { return event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

/// Number of multiprocessors of the GPU.
int multiprocessors();

/// Makes `later` wait for all work submitted to `earlier` so far.
void join(cudaStream_t earlier, cudaStream_t later, const DeviceEvent& event);

}  // namespace rfs
