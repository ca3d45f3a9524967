#include <fmt/format.h>

#include <mutex>
#include <numeric>

#include "rfs/core/error.h"
#include "rfs/engine/device_decoder.h"
#include "rfs/engine/engine.h"

namespace rfs {
namespace {

/// A batch's arrays on the GPU.
class Uploaded {
 public:
  Uploaded(const Batch& batch, const Dropout& dropout) {
    const auto tokens = static_cast<int>(batch.tokens()), rows = static_cast<int>(batch.rows());
    const auto targets = static_cast<int>(batch.predict_M.size(0));
    const auto offsets = whole(batch.offsets), predict = whole(batch.predict_M), labels = whole(batch.labels_M);
    std::vector<int32_t> within(static_cast<size_t>(tokens)), place(static_cast<size_t>(tokens), -1);
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
    for (int m = 0; m < targets; ++m) place[static_cast<size_t>(predict[static_cast<size_t>(m)])] = m;
    input.rows.tokens = tokens;
    input.rows.rows = rows;
    input.rows.longest = longest;
    input.rows.offsets = put(offsets);
    input.rows.within = put(within);
    input.rows.sample = put(sample);
    input.rows.samples = put(samples);
    const auto positions = batch.positions_N.to(torch::kCPU).contiguous();
    const float* first = positions.const_data_ptr<float>();
    input.rows.positions = put(std::vector<float>(first, first + tokens));
    input.ids = put(whole(batch.tokens_N));
    input.targets = targets;
    input.predict = put(predict);
    input.labels = put(labels);
    input.place = put(place);
    input.real_targets = put(std::vector<int32_t>{targets});
    input.dropout = device_dropout(dropout);
  }

  DeviceInput input;

 private:
  static std::vector<int32_t> whole(const torch::Tensor& x) {
    const auto y = x.to(torch::kCPU, torch::kInt32).contiguous();
    return {y.const_data_ptr<int32_t>(), y.const_data_ptr<int32_t>() + y.numel()};
  }
  template <class T>
  const T* put(const std::vector<T>& values) {
    held_.push_back(device_copy(values));
    return held_.back().template as<T>();
  }
  std::vector<DeviceMemory> held_;
};

int rounded(int64_t count) {
  return static_cast<int>((count + 127) / 128 * 128);
}

}  // namespace

struct Engine::Inside {
  std::unique_ptr<DeviceDecoder> decoder, trained;
  DeviceStream stream;
  const Decoder* source = nullptr;
  Element element = Element::bf16;
  std::mutex one_at_a_time;
};

std::string engine_refusal(const DecoderOptions& o) {
  int count = 0, device = 0, major = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
    cudaGetLastError();
    return "no CUDA GPU was found";
  }
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  if (major < 8) return fmt::format("the GPU must have compute capability 8.0 or more, got {}.x", major);
  if (o.width % 8 || o.width > widest_norm) {
    return fmt::format("model.width must be a multiple of 8 up to {}, got {}", widest_norm, *o.width);
  }
  if (o.feed_width % 8) return fmt::format("model.feed_width must be a multiple of 8, got {}", *o.feed_width);
  if (o.head_width % 8 || o.head_width > 256) {
    return fmt::format("model.head_width must be a multiple of 8 up to 256, got {}", *o.head_width);
  }
  return "";
}

Engine::Engine(const Decoder& decoder, Element element) : inside_(std::make_unique<Inside>()) {
  if (const auto refusal = engine_refusal(decoder.options()); !refusal.empty()) throw Error("engine: " + refusal);
  inside_->source = &decoder;
  inside_->element = element;
  inside_->decoder = std::make_unique<DeviceDecoder>(decoder, element, false);
}

Engine::Engine(const DeviceDecoder& decoder) : inside_(std::make_unique<Inside>()) {
  inside_->decoder = std::make_unique<DeviceDecoder>(decoder);
}

Engine::~Engine() = default;

torch::Tensor Engine::best(const Batch& batch) const {
  const std::lock_guard lock(inside_->one_at_a_time);
  const Uploaded uploaded(batch, {});
  const int targets = uploaded.input.targets;
  inside_->decoder->reserve(rounded(batch.tokens()), rounded(targets));
  const auto best = device_array<int32_t>(static_cast<size_t>(targets));
  inside_->decoder->forward(uploaded.input, inside_->stream);
  inside_->decoder->best(uploaded.input, best.as<int32_t>(), inside_->stream);
  check_cuda(cudaGetLastError(), "starting a kernel");
  inside_->stream.wait();
  auto result = torch::empty({targets}, torch::kInt32);
  check_cuda(cudaMemcpy(result.data_ptr<int32_t>(), best.as<void>(), best.bytes(), cudaMemcpyDeviceToHost),
             "copying from the GPU");
  return result.to(torch::kInt64);
}

Engine::Gradient Engine::gradient(const Batch& batch, const Dropout& dropout) const {
  const std::lock_guard lock(inside_->one_at_a_time);
  TORCH_CHECK(inside_->source, "gradient: not of a shared model");
  auto& trained = inside_->trained;
  trained = std::make_unique<DeviceDecoder>(*inside_->source, inside_->element, true);
  const Uploaded uploaded(batch, dropout);
  const int targets = uploaded.input.targets;
  trained->reserve(rounded(batch.tokens()), rounded(targets));
  trained->prepare(static_cast<int>(batch.tokens()), targets);
  trained->forward(uploaded.input, inside_->stream);
  trained->backward(uploaded.input, inside_->stream);
  check_cuda(cudaGetLastError(), "starting a kernel");
  inside_->stream.wait();
  std::vector<float> losses(static_cast<size_t>(targets));
  check_cuda(cudaMemcpy(losses.data(), trained->losses(), losses.size() * sizeof(float), cudaMemcpyDeviceToHost),
             "copying from the GPU");
  Gradient result;
  for (const float loss : losses) result.loss += static_cast<double>(loss) / targets;
  const auto flat =
      torch::empty({trained->size()}, inside_->element == Element::bf16 ? torch::kBFloat16 : torch::kFloat32);
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
  // Dense bf16 products: 2,048 operations a clock and multiprocessor on compute capability 8, 4,096 from 9 on.
  const double a_clock = properties.major >= 9 ? 4096 : 2048;
  return {properties.name, a_clock * properties.multiProcessorCount * 1e3 * kilohertz,
          static_cast<double>(properties.totalGlobalMem)};
}

}  // namespace rfs
