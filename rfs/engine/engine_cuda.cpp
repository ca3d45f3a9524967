#include <cstring>
#include <mutex>
#include <numeric>

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/engine/device_decoder.h"
#include "rfs/engine/engine.h"

namespace rfs {
namespace {

/// A batch's arrays on the GPU, in one buffer that is reused from batch to batch. Allocating and freeing memory would
/// wait for all work on the GPU, including that of other runs.
class Upload {
 public:
  DeviceInput put(const Batch& batch, const Dropout& dropout, cudaStream_t stream) {
    const auto tokens = static_cast<int>(batch.tokens()), rows = static_cast<int>(batch.rows());
    const auto targets = static_cast<int>(batch.predict_M.size(0));
    const auto offsets = whole(batch.offsets), predict = whole(batch.predict_M), labels = whole(batch.labels_M);
    const auto ids = whole(batch.tokens_N);
    std::vector<int32_t> within(static_cast<size_t>(tokens)), target_of(static_cast<size_t>(tokens), -1);
    auto samples = dropout.samples;
    samples.resize(static_cast<size_t>(rows));
    std::vector<uint64_t> sample(static_cast<size_t>(tokens));
    int longest = 0;
    for (int b = 0; b < rows; ++b) {
      const int begin = offsets[static_cast<size_t>(b)], end = offsets[static_cast<size_t>(b) + 1];
      std::iota(within.begin() + begin, within.begin() + end, 0);
      std::fill(sample.begin() + begin, sample.begin() + end, samples[static_cast<size_t>(b)]);
      longest = std::max(longest, end - begin);
    }
    for (int m = 0; m < targets; ++m) target_of[static_cast<size_t>(predict[static_cast<size_t>(m)])] = m;
    std::vector<float> positions;
    for (const auto& track : batch.positions) {
      const auto on_cpu = track.to(torch::kCPU).contiguous();
      positions.insert(positions.end(), on_cpu.const_data_ptr<float>(), on_cpu.const_data_ptr<float>() + tokens);
    }

    DeviceInput input;
    input.rows.tokens = tokens;
    input.rows.rows = rows;
    input.rows.longest = longest;
    if (tokens == rows * longest) input.rows.equal_length = longest;
    input.track_stride = tokens;
    input.targets = targets;
    input.dropout = dropout.on_device();
    host_.clear();
    const size_t places[] = {
        add(offsets), add(within),  add(sample), add(samples),   add(positions),
        add(ids),     add(predict), add(labels), add(target_of), add(std::vector<int32_t>{targets})};
    if (device_.bytes() < host_.size()) device_ = DeviceMemory(2 * host_.size());
    check_cuda(cudaMemcpyAsync(device_.as<void>(), host_.data(), host_.size(), cudaMemcpyHostToDevice, stream),
               "copying to the GPU");
    size_t next = 0;
    const auto take = [&](auto*& pointer) {
      pointer = reinterpret_cast<std::remove_reference_t<decltype(pointer)>>(device_.as<char>() + places[next++]);
    };
    take(input.rows.offsets);
    take(input.rows.within);
    take(input.rows.sample);
    take(input.rows.samples);
    take(input.rows.positions);
    take(input.ids);
    take(input.predict);
    take(input.labels);
    take(input.target_of);
    take(input.real_targets);
    return input;
  }

 private:
  static std::vector<int32_t> whole(const torch::Tensor& x) {
    const auto y = x.to(torch::kCPU, torch::kInt32).contiguous();
    return {y.const_data_ptr<int32_t>(), y.const_data_ptr<int32_t>() + y.numel()};
  }
  template <class T>
  size_t add(const std::vector<T>& values) {
    const size_t begin = (host_.size() + 255) / 256 * 256;
    host_.resize(begin + values.size() * sizeof(T));
    if (!values.empty()) std::memcpy(host_.data() + begin, values.data(), values.size() * sizeof(T));
    return begin;
  }

  std::vector<char> host_;
  DeviceMemory device_;
};

int rounded(int64_t count) {
  return static_cast<int>((count + 127) / 128 * 128);
}

}  // namespace

struct Engine::Inside {
  std::unique_ptr<DeviceDecoder> decoder, trained;
  DeviceStream stream;
  Upload upload;
  DeviceMemory made;
  const Decoder* source = nullptr;
  DType dtype = DType::bf16;
  std::mutex one_at_a_time;
};

std::string device_refusal() {
  int count = 0, device = 0, major = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
    cudaGetLastError();
    return "no CUDA GPU was found";
  }
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  if (major < 8) return rfs::format("the GPU must have compute capability 8.0 or more, got {}.x", major);
  return "";
}

Engine::Engine(const Decoder& decoder, DType dtype) : inside_(std::make_unique<Inside>()) {
  if (const auto refusal = engine_refusal(decoder.spec()); !refusal.empty()) throw Error("engine: " + refusal);
  inside_->source = &decoder;
  inside_->dtype = dtype;
  inside_->decoder = std::make_unique<DeviceDecoder>(decoder, dtype, false);
}

Engine::Engine(const DeviceDecoder& decoder) : inside_(std::make_unique<Inside>()) {
  inside_->decoder = std::make_unique<DeviceDecoder>(decoder);
}

Engine::~Engine() = default;

size_t Engine::reserve(int64_t tokens) {
  const std::lock_guard lock(inside_->one_at_a_time);
  return inside_->decoder->reserve(rounded(tokens), rounded(tokens));
}

template <class T, class Give>
torch::Tensor Engine::of_targets(const Batch& batch, const Give& give) const {
  const std::lock_guard lock(inside_->one_at_a_time);
  inside_->stream.wait();  // a failed call may have left work on the stream
  const DeviceInput input = inside_->upload.put(batch, {}, inside_->stream);
  inside_->decoder->reserve(rounded(batch.tokens()), rounded(input.targets));
  auto& made = inside_->made;
  const auto bytes = static_cast<size_t>(input.targets) * sizeof(T);
  if (made.bytes() < bytes) made = DeviceMemory(2 * bytes);
  inside_->decoder->forward(input, inside_->stream);
  give(input, made.as<T>());
  check_cuda(cudaGetLastError(), "starting a kernel");
  inside_->stream.wait();
  auto result = torch::empty({input.targets}, c10::CppTypeToScalarType<T>::value);
  check_cuda(cudaMemcpy(result.data_ptr(), made.as<void>(), bytes, cudaMemcpyDeviceToHost), "copying from the GPU");
  return result;
}

torch::Tensor Engine::best(const Batch& batch) const {
  const auto best = of_targets<int32_t>(
      batch, [&](const DeviceInput& input, int32_t* to) { inside_->decoder->best(input, to, inside_->stream); });
  return best.to(torch::kInt64);
}

torch::Tensor Engine::losses(const Batch& batch) const {
  return of_targets<float>(
      batch, [&](const DeviceInput& input, float* to) { inside_->decoder->losses(input, to, inside_->stream); });
}

Engine::Gradient Engine::gradient(const Batch& batch, const Dropout& dropout) const {
  const std::lock_guard lock(inside_->one_at_a_time);
  TORCH_CHECK(inside_->source,
              "gradient: this engine shares the weights of a model in training and cannot compute gradients");
  auto& trained = inside_->trained;
  trained = std::make_unique<DeviceDecoder>(*inside_->source, inside_->dtype, true);
  const DeviceInput input = inside_->upload.put(batch, dropout, inside_->stream);
  const int targets = input.targets;
  trained->reserve(rounded(batch.tokens()), rounded(targets));
  trained->prepare(static_cast<int>(batch.tokens()), targets);
  trained->forward(input, inside_->stream);
  trained->backward(input, inside_->stream);
  check_cuda(cudaGetLastError(), "starting a kernel");
  inside_->stream.wait();
  std::vector<float> losses(static_cast<size_t>(targets));
  check_cuda(cudaMemcpy(losses.data(), trained->losses(), losses.size() * sizeof(float), cudaMemcpyDeviceToHost),
             "copying from the GPU");
  Gradient result;
  for (const float loss : losses) result.loss += static_cast<double>(loss) / targets;
  const auto flat = torch::empty({trained->size()}, inside_->dtype == DType::bf16 ? torch::kBFloat16 : torch::kFloat32);
  check_cuda(cudaMemcpy(flat.data_ptr(), trained->gradient(), flat.nbytes(), cudaMemcpyDeviceToHost),
             "copying from the GPU");
  result.flat = flat.to(torch::kFloat32);
  return result;
}

Gpu gpu() {
  int device = 0;
  cudaDeviceProp properties{};
  if (cudaGetDevice(&device) != cudaSuccess || cudaGetDeviceProperties(&properties, device) != cudaSuccess) {
    cudaGetLastError();
    return {};
  }
  int kilohertz = 0;
  cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, device);
  // Flops of dense bf16 matmuls per multiprocessor and clock. Compute capability 8.x above 8.0, and 12.x, are not
  // data-center GPUs.
  const double flops_per_clock = properties.major == 8    ? (properties.minor == 0 ? 2048 : 1024)
                                 : properties.major == 9  ? 4096
                                 : properties.major == 12 ? 1024
                                                          : 8192;
  return {properties.name, flops_per_clock * properties.multiProcessorCount * 1e3 * kilohertz,
          static_cast<double>(properties.totalGlobalMem)};
}

}  // namespace rfs
