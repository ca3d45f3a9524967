#include <ATen/Context.h>
#include <ATen/ops/_flash_attention_backward.h>
#include <ATen/ops/_flash_attention_forward.h>
#include <ATen/ops/from_blob.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include <mutex>

#include "rfs/engine/long_attention.h"
#include "rfs/ops/turn_launch.h"

namespace rfs {
namespace {

/// LibTorch works on this stream, and adds up gradients in a fixed order, while the object lives. The latter is a
/// setting of the whole process, so that runs side by side take turns (in giving work, not in doing it).
class OnStream {
 public:
  explicit OnStream(cudaStream_t stream)
      : turn_(one_at_a_time),
        guard_(c10::cuda::getStreamFromExternal(stream, c10::cuda::current_device())),
        before_(at::globalContext().deterministicAlgorithms()),
        before_warn_(at::globalContext().deterministicAlgorithmsWarnOnly()),
        before_fill_(at::globalContext().deterministicFillUninitializedMemory()) {
    at::globalContext().setDeterministicAlgorithms(true, false);
    at::globalContext().setDeterministicFillUninitializedMemory(false);
  }
  ~OnStream() {
    at::globalContext().setDeterministicAlgorithms(before_, before_warn_);
    at::globalContext().setDeterministicFillUninitializedMemory(before_fill_);
  }

 private:
  static inline std::mutex one_at_a_time;
  std::lock_guard<std::mutex> turn_;
  c10::cuda::CUDAStreamGuard guard_;
  bool before_, before_warn_, before_fill_;
};

struct Views {
  torch::Tensor q, k, v, offsets;

  explicit Views(const DeviceAttention& a) {
    const auto options = torch::TensorOptions(torch::kCUDA);
    const int64_t inner = a.heads * a.width;
    const auto part = [&](int64_t number) {
      auto* from = static_cast<char*>(const_cast<void*>(a.qkv)) + 2 * number * inner;
      return torch::from_blob(from, {a.rows.tokens, a.heads, a.width}, {3 * inner, a.width, 1},
                              options.dtype(torch::kBFloat16));
    };
    q = part(0);
    k = part(1);
    v = part(2);
    offsets = torch::from_blob(const_cast<int32_t*>(a.rows.offsets), {a.rows.rows + 1}, options.dtype(torch::kInt32));
  }
};

}  // namespace

bool flash_fits(const DeviceAttention& a) {
  return a.element == Element::bf16 && a.rows.longest > long_row && !a.slopes && a.dropout.threshold == 0;
}

void flash_forward(const DeviceAttention& a, FlashKept& kept, cudaStream_t stream) {
  turn_queries_and_keys(a.rows, a.heads, a.width, const_cast<void*>(a.qkv), stream);
  const OnStream on_stream(stream);
  const Views x(a);
  const auto [out, log_sum, seed, unused, mask] =
      at::_flash_attention_forward(x.q, x.k, x.v, x.offsets, x.offsets, a.rows.longest, a.rows.longest, 0.0, true,
                                   false, static_cast<double>(a.scale));
  kept = {out, log_sum, seed, unused};
}

void flash_backward(const DeviceAttention& a, const FlashKept& kept, const void* d_out, void* d_qkv,
                    cudaStream_t stream) {
  const OnStream on_stream(stream);
  const Views x(a);
  const auto gradient = torch::from_blob(const_cast<void*>(d_out), {a.rows.tokens, a.heads, a.width},
                                         torch::TensorOptions(torch::kCUDA).dtype(torch::kBFloat16));
  const auto [d_q, d_k, d_v] = at::_flash_attention_backward(gradient, x.q, x.k, x.v, kept.out, kept.log_sum, x.offsets,
                                                             x.offsets, a.rows.longest, a.rows.longest, 0.0, true,
                                                             kept.seed, kept.unused, static_cast<double>(a.scale));
  turn_back(a.rows, a.heads, a.width, d_q.const_data_ptr(), d_k.const_data_ptr(), d_v.const_data_ptr(), d_qkv, stream);
}

}  // namespace rfs
