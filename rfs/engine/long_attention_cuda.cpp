#include <ATen/Context.h>
#include <ATen/ops/_flash_attention_backward.h>
#include <ATen/ops/_flash_attention_forward.h>
#include <ATen/ops/from_blob.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include <cstdlib>
#include <mutex>
#include <string_view>

#include "rfs/device/memory.h"
#include "rfs/engine/long_attention.h"
#include "rfs/ops/hopper_attention.h"
#include "rfs/ops/rotate_launch.h"

namespace rfs {
namespace {

/// While this object lives, LibTorch uses the given stream and sums gradients in a fixed order. The latter is a
/// process-wide setting, so parallel runs take turns. They take turns only in submitting work; the GPU still runs it in
/// parallel.
class OnStream {
 public:
  explicit OnStream(cudaStream_t stream)
      : lock_(one_at_a_time),
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
  std::lock_guard<std::mutex> lock_;
  c10::cuda::CUDAStreamGuard guard_;
  bool before_, before_warn_, before_fill_;
};

/// Rows of equal length get their own dimension, [rows, tokens, heads, width], which is faster. All other rows are
/// concatenated, [tokens, heads, width], and have offsets.
struct Views {
  explicit Views(const DeviceAttention& a) : equal_length(a.rows.equal_length) {
    q = part(a, 0, a.heads);
    k = part(a, a.heads, a.kv_heads);
    v = part(a, a.heads + a.kv_heads, a.kv_heads);
    if (equal_length > 0) return;
    const auto options = torch::TensorOptions(torch::kCUDA).dtype(torch::kInt32);
    offsets = torch::from_blob(const_cast<int32_t*>(a.rows.offsets), {a.rows.rows + 1}, options);
  }

  torch::Tensor part(const DeviceAttention& a, int64_t first, int64_t heads) const {
    return view(a, static_cast<const char*>(a.qkv) + 2 * first * a.width, heads, (a.heads + 2 * a.kv_heads) * a.width);
  }
  torch::Tensor view(const DeviceAttention& a, const void* from, int64_t heads, int64_t stride) const {
    const auto options = torch::TensorOptions(torch::kCUDA).dtype(torch::kBFloat16);
    auto* data = const_cast<void*>(from);
    if (equal_length == 0)
      return torch::from_blob(data, {a.rows.tokens, heads, a.width}, {stride, a.width, 1}, options);
    return torch::from_blob(data, {a.rows.tokens / equal_length, equal_length, heads, a.width},
                            {equal_length * stride, stride, a.width, 1}, options);
  }

  int64_t equal_length;
  torch::Tensor q, k, v, offsets;
};

}  // namespace

bool flash_fits(const DeviceAttention& a) {
  return a.dtype == DType::bf16 && a.rows.longest > long_row && !a.slopes && a.dropout.threshold == 0 &&
         a.window == 0 && !a.query_scale.active() && !a.bias;
}

AttentionKernel attention_kernel(const DeviceAttention& a) {
  static const char* hopper = std::getenv("RFS_HOPPER_ATTENTION");
  constexpr int short_row = 64;  // a block of the Hopper kernels has 128 queries of one row
  const bool off = hopper && std::string_view(hopper) == "0";
  if (!off && a.rows.longest > short_row && hopper_fits(a)) return AttentionKernel::hopper;
  return flash_fits(a) ? AttentionKernel::flash : AttentionKernel::tiles;
}

bool needs_flash(const ModelSpec& model, DType dtype, int longest) {
  DeviceAttention a;
  a.dtype = dtype;
  a.width = static_cast<int>(*model.options.head_width);
  a.rows.longest = longest;
  return uses_flash(model, longest) && attention_kernel(a) == AttentionKernel::flash;
}

void flash_forward(const DeviceAttention& a, FlashKept& kept, cudaStream_t stream) {
  rotate_queries_and_keys(a.rows, {a.heads, a.kv_heads, a.width}, const_cast<void*>(a.qkv), stream);
  const OnStream on_stream(stream);
  const Views x(a);
  const std::optional<torch::Tensor> offsets = x.equal_length ? std::nullopt : std::optional(x.offsets);
  const auto [out, log_sum, seed, unused, mask] = at::_flash_attention_forward(
      x.q, x.k, x.v, offsets, offsets, a.rows.longest, a.rows.longest, 0.0, true, false, static_cast<double>(a.scale));
  kept = {out, log_sum, seed, unused};
}

void flash_backward(const DeviceAttention& a, const FlashKept& kept, const void* d_out, void* d_qkv,
                    cudaStream_t stream) {
  const OnStream on_stream(stream);
  const Views x(a);
  const auto gradient = x.view(a, d_out, a.heads, a.heads * a.width);
  const auto [d_q, d_k, d_v] = at::_flash_attention_backward(gradient, x.q, x.k, x.v, kept.out, kept.log_sum, x.offsets,
                                                             x.offsets, a.rows.longest, a.rows.longest, 0.0, true,
                                                             kept.seed, kept.unused, static_cast<double>(a.scale));
  rotate_back(a.rows, {a.heads, a.kv_heads, a.width}, d_q.const_data_ptr(), d_k.const_data_ptr(), d_v.const_data_ptr(),
              d_qkv, stream);
}

void chosen_attention_forward(const DeviceAttention& a, FlashKept& kept, cudaStream_t stream) {
  switch (attention_kernel(a)) {
    case AttentionKernel::tiles:
      return attention_forward(a, stream);
    case AttentionKernel::flash:
      return flash_forward(a, kept, stream);
    case AttentionKernel::hopper:
      rotate_queries_and_keys(a.rows, {a.heads, a.kv_heads, a.width}, const_cast<void*>(a.qkv), stream);
      return hopper_forward(a, stream);
  }
}

void chosen_attention_backward(const DeviceAttention& a, const FlashKept& kept, const AttentionGradient& to,
                               cudaStream_t stream) {
  switch (attention_kernel(a)) {
    case AttentionKernel::tiles:
      return attention_backward(a, to, stream);
    case AttentionKernel::flash:
      return flash_backward(a, kept, to.d_out, to.d_qkv, stream);
    case AttentionKernel::hopper:
      return hopper_backward(a, to, stream);
  }
}

}  // namespace rfs
