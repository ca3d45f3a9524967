#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rfs {

/// Throws Error where a CUDA call failed; `doing` says what it was for.
void check_cuda(cudaError_t code, const char* doing);

/// Memory of a GPU, freed with the object. Out of memory throws Error that says what to change.
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
/// Waits for copies and fills on the default stream, which this project's streams do not wait for. (Do not synchronize
/// the device instead: that would invalidate another thread's graph capture.)
void finish_copies();
/// Of a vector or span.
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

/// Memory of the host that the GPU copies to and from without the driver's help.
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

/// A stream of work, or a mark in one, destroyed with the object.
class DeviceStream {
 public:
  /// `urgent`: its blocks go before those of other streams.
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

/// Of the GPU.
int multiprocessors();

/// Makes `later` wait for what `earlier` has been given so far.
void join(cudaStream_t earlier, cudaStream_t later, const DeviceEvent& event);

}  // namespace rfs
