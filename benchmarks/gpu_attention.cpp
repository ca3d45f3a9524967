// Measures attention alone on the GPU: `rfs_attention_benchmark [rows] [tokens] [heads] [key heads] [width] [window]`.
// Causal attention over packed rows of equal length in bf16, with rotation of all dims, forward and backward. The
// implementations take turns. Prints a line of JSON for each: microseconds (median of 20 rounds of ten calls), TFLOP/s
// of the visible pairs, the distance from the first one's results relative to their norm, and whether 200 calls gave
// the same bits.

#include <torch/cuda.h>
#include <torch/types.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "rfs/core/format.h"
#include "rfs/device/memory.h"
#include "rfs/engine/long_attention.h"
#include "rfs/ops/hopper_attention.h"
#include "rfs/ops/rotate_launch.h"

namespace {

using torch::Tensor;

struct Implementation {
  std::string name;
  std::function<void()> forward, backward;
  std::function<Tensor()> out;
  std::vector<double> forward_us = {}, backward_us = {};
};

cudaEvent_t timing_event() {
  cudaEvent_t event = nullptr;
  rfs::check_cuda(cudaEventCreate(&event), "timing");
  return event;
}

double microseconds(const std::function<void()>& call, cudaStream_t stream) {
  constexpr int calls = 10;
  static const cudaEvent_t begin = timing_event(), end = timing_event();
  rfs::check_cuda(cudaEventRecord(begin, stream), "timing");
  for (int i = 0; i < calls; ++i) call();
  rfs::check_cuda(cudaEventRecord(end, stream), "timing");
  rfs::check_cuda(cudaEventSynchronize(end), "timing");
  float ms = 0;
  rfs::check_cuda(cudaEventElapsedTime(&ms, begin, end), "timing");
  return 1e3 * static_cast<double>(ms) / calls;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

double distance(const Tensor& a, const Tensor& b) {
  const Tensor x = a.to(torch::kFloat32), y = b.to(torch::kFloat32);
  return ((x - y).norm() / y.norm()).item<double>();
}

}  // namespace

int main(int argc, char** argv) {
  const auto number = [&](int i, int otherwise) { return argc > i ? std::atoi(argv[i]) : otherwise; };
  const int rows = number(1, 32), tokens = number(2, 1024), heads = number(3, 12), kv_heads = number(4, heads);
  const int width = number(5, 64), window = number(6, 0), all = rows * tokens, pairs = width / 2;
  const int64_t whole = int64_t{heads + 2 * kv_heads} * width;
  torch::manual_seed(1);
  const auto floats = torch::TensorOptions(torch::kCUDA).dtype(torch::kFloat32);
  const auto halves = floats.dtype(torch::kBFloat16);
  const Tensor source = torch::randn({all, whole}, floats).to(torch::kBFloat16);
  const Tensor d_out = torch::randn({all, int64_t{heads} * width}, floats).to(torch::kBFloat16);
  const Tensor angles = torch::rand({all, pairs}, floats) * 6.28, cos = angles.cos(), sin = angles.sin();
  const Tensor offsets = torch::arange(rows + 1, floats.dtype(torch::kInt32)) * tokens;
  const Tensor positions = torch::arange(all, floats);
  Tensor qkv = source.clone(), out = torch::empty({all, int64_t{heads} * width}, halves),
         d_qkv = torch::empty_like(source);
  Tensor log_sum = torch::empty({all, heads}, floats), inner = torch::empty({all, heads}, floats);
  Tensor d_heads = torch::empty({all, 2 * int64_t{heads} * width}, halves);
  torch::cuda::synchronize();
  const rfs::DeviceStream stream;

  rfs::DeviceAttention a;
  a.rows = {.tokens = all, .rows = rows, .longest = tokens, .equal_length = tokens};
  a.rows.offsets = offsets.const_data_ptr<int32_t>();
  a.rows.positions = positions.const_data_ptr<float>();
  a.rows.cos = cos.const_data_ptr<float>();
  a.rows.sin = sin.const_data_ptr<float>();
  a.rows.pairs = pairs;
  a.heads = heads;
  a.kv_heads = kv_heads;
  a.width = width;
  a.window = window;
  a.scale = 0.125F;
  a.qkv = qkv.data_ptr();
  a.out = out.data_ptr();
  a.log_sum = log_sum.data_ptr<float>();
  const rfs::AttentionGradient to = {d_out.data_ptr(), d_qkv.data_ptr(),   nullptr,
                                     nullptr,          d_heads.data_ptr(), inner.data_ptr<float>()};
  const auto own_out = [&] { return out; };
  rfs::FlashKept kept;
  std::vector<Implementation> all_of_them;
  if (width == 64) {
    all_of_them.push_back({"tiles", [&] { rfs::attention_forward(a, stream); },
                           [&] { rfs::attention_backward(a, to, stream); }, own_out});
  }
  if (rfs::flash_fits(a)) {
    all_of_them.push_back({"flash", [&] { rfs::flash_forward(a, kept, stream); },
                           [&] { rfs::flash_backward(a, kept, to.d_out, to.d_qkv, stream); },
                           [&] {
                             return kept.out.reshape({all, -1});
                           }});
  }
  if (rfs::hopper_fits(a)) {
    all_of_them.push_back({"hopper",
                           [&] {
                             rfs::rotate_queries_and_keys(a.rows, {heads, kv_heads, width}, qkv.data_ptr(), stream);
                             rfs::hopper_forward(a, stream);
                           },
                           [&] { rfs::hopper_backward(a, to, stream); }, own_out});
  }

  std::vector<std::string> checks;
  Tensor first_out, first_gradient;
  for (auto& one : all_of_them) {
    Tensor results, gradients;
    bool same = true;
    for (int i = 0; i < 200; ++i) {
      qkv.copy_(source);
      torch::cuda::synchronize();
      one.forward();
      one.backward();
      stream.wait();
      if (i == 0) results = one.out().clone(), gradients = d_qkv.clone();
      same = same && torch::equal(results, one.out()) && torch::equal(gradients, d_qkv);
    }
    if (!first_out.defined()) first_out = results, first_gradient = gradients;
    checks.push_back(rfs::format("\"out_distance\": {:.5f}, \"gradient_distance\": {:.5f}, \"same_bits\": {}",
                                 distance(results, first_out), distance(gradients, first_gradient), same));
  }
  for (int round = 0; round < 20; ++round) {
    for (auto& one : all_of_them) {
      one.forward_us.push_back(microseconds(one.forward, stream));
      one.backward_us.push_back(microseconds(one.backward, stream));
    }
  }
  const double seen = window > 0 && window < tokens ? double(tokens) * window - double(window) * (window - 1) / 2
                                                    : double(tokens) * (tokens + 1) / 2;
  const double operations = 4 * seen * rows * heads * width;
  for (size_t i = 0; i < all_of_them.size(); ++i) {
    const double forward = median(all_of_them[i].forward_us), backward = median(all_of_them[i].backward_us);
    std::printf("%s\n",
                rfs::format("{{\"name\": \"{}\", \"rows\": {}, \"tokens\": {}, \"heads\": {}, \"kv_heads\": {}, "
                            "\"width\": {}, \"window\": {}, \"forward_us\": {:.1f}, \"backward_us\": {:.1f}, "
                            "\"forward_tflops\": {:.0f}, \"backward_tflops\": {:.0f}, {}}}",
                            all_of_them[i].name, rows, tokens, heads, kv_heads, width, window, forward, backward,
                            operations / forward / 1e6, 2.5 * operations / backward / 1e6, checks[i])
                    .c_str());
  }
}
