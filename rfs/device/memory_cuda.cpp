#include <c10/cuda/CUDACachingAllocator.h>

#include <utility>

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/device/memory.h"

namespace rfs {

void check_cuda(cudaError_t code, const char* doing) {
  if (code == cudaSuccess) return;
  cudaGetLastError();
  throw Error(rfs::format("cuda: {} failed: {}", doing, cudaGetErrorString(code)));
}

void finish_copies() {
  check_cuda(cudaStreamSynchronize(cudaStreamLegacy), "copying to the GPU");
}

DeviceMemory::DeviceMemory(size_t bytes) : bytes_(bytes) {
  if (bytes == 0) return;
  cudaError_t code = cudaMalloc(&pointer_, bytes);
  if (code == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    c10::cuda::CUDACachingAllocator::emptyCache();  // memory that LibTorch caches after attention over long rows
    code = cudaMalloc(&pointer_, bytes);
  }
  if (code == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    size_t free = 0, all = 0;
    cudaMemGetInfo(&free, &all);
    throw Error(rfs::format(
        "cuda: out of GPU memory: {:.2f} GB more needed, {:.2f} of {:.2f} GB free; lower "
        "train.batch or train.micro_batch (eval.batch_tokens when evaluating) or the model's size, or use another GPU",
        static_cast<double>(bytes) / 1e9, static_cast<double>(free) / 1e9, static_cast<double>(all) / 1e9));
  }
  check_cuda(code, "allocating memory");
}

DeviceMemory::~DeviceMemory() {
  if (pointer_) cudaFree(pointer_);
}

DeviceMemory::DeviceMemory(DeviceMemory&& other) noexcept
    : pointer_(std::exchange(other.pointer_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

DeviceMemory& DeviceMemory::operator=(DeviceMemory&& other) noexcept {
  std::swap(pointer_, other.pointer_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

PinnedMemory::PinnedMemory(size_t bytes) : bytes_(bytes) {
  const cudaError_t code = cudaMallocHost(&pointer_, bytes);
  if (code == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    throw Error(rfs::format(
        "cuda: out of page-locked host memory: {:.2f} GB needed; free memory of the machine, or train a smaller model",
        static_cast<double>(bytes) / 1e9));
  }
  check_cuda(code, "allocating page-locked memory");
}
PinnedMemory::~PinnedMemory() {
  cudaFreeHost(pointer_);
}

DeviceStream::DeviceStream(bool urgent) {
  int least = 0, greatest = 0;
  check_cuda(cudaDeviceGetStreamPriorityRange(&least, &greatest), "creating a stream");
  check_cuda(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, urgent ? greatest : least),
             "creating a stream");
}
DeviceStream::~DeviceStream() {
  cudaStreamDestroy(stream_);
}
void DeviceStream::wait() const {
  check_cuda(cudaStreamSynchronize(stream_), "work on the GPU");
}

DeviceEvent::DeviceEvent() {
  check_cuda(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "creating an event");
}
DeviceEvent::~DeviceEvent() {
  cudaEventDestroy(event_);
}

int multiprocessors() {
  int device = 0, count = 0;
  check_cuda(cudaGetDevice(&device), "querying the GPU");
  check_cuda(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device), "querying the GPU");
  return count;
}

void join(cudaStream_t earlier, cudaStream_t later, const DeviceEvent& event) {
  check_cuda(cudaEventRecord(event, earlier), "recording an event");
  check_cuda(cudaStreamWaitEvent(later, event, 0), "waiting for an event");
}

}  // namespace rfs
