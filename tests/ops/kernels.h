#pragma once

#include <gtest/gtest.h>
#include <torch/types.h>

#include <string>
#include <vector>

#include "rfs/core/random.h"
#include "rfs/device/memory.h"
#include "rfs/engine/device_input.h"
#include "rfs/engine/engine.h"
#include "rfs/ops/dropout.h"

// Shared by tests of single kernels: copies from and to the GPU, and packed rows on host and device.
namespace rfs::kernels_test {

using torch::Tensor;

inline Tensor random(at::IntArrayRef shape, uint64_t index) {
  Stream stream(3, "kernels test", index);
  Tensor x = torch::empty(shape, torch::kFloat64);
  for (int64_t i = 0; i < x.numel(); ++i) x.data_ptr<double>()[i] = stream.normal();
  return x;
}

inline torch::Dtype torch_type(DType dtype) {
  return dtype == DType::bf16 ? torch::kBFloat16 : torch::kFloat32;
}
inline Tensor rounded(const Tensor& x, DType dtype) {
  return x.to(torch_type(dtype)).to(torch::kFloat64);
}

inline DeviceMemory put(const Tensor& x, torch::Dtype type) {
  const Tensor from = x.detach().to(type).contiguous();
  DeviceMemory memory(from.nbytes());
  check_cuda(cudaMemcpy(memory.as<void>(), from.const_data_ptr(), from.nbytes(), cudaMemcpyHostToDevice), "copying");
  return memory;
}
inline DeviceMemory put(const Tensor& x, DType dtype) {
  return put(x, torch_type(dtype));
}
inline Tensor get(const DeviceMemory& memory, at::IntArrayRef shape, torch::Dtype type) {
  check_cuda(cudaDeviceSynchronize(), "a kernel");
  Tensor to = torch::empty(shape, type);
  check_cuda(cudaMemcpy(to.data_ptr(), memory.as<void>(), to.nbytes(), cudaMemcpyDeviceToHost), "copying");
  return to.is_floating_point() ? to.to(torch::kFloat64) : to;
}
inline Tensor get(const DeviceMemory& memory, at::IntArrayRef shape, DType dtype) {
  return get(memory, shape, torch_type(dtype));
}

inline void expect_near(const Tensor& given, const Tensor& expected, double tolerance, const std::string& what) {
  EXPECT_LE((given - expected).norm().item<double>(), tolerance * (expected.norm().item<double>() + 1e-30)) << what;
}

/// Packed rows on host and device.
struct Rows {
  Tensor offsets, positions;
  Dropout dropout;
  int tokens = 0, longest = 0;
  DeviceMemory device_offsets, within, sample, samples, device_positions;

  Rows(const std::vector<int64_t>& lengths, double rate) {
    std::vector<int64_t> ends{0};
    std::vector<int32_t> starts{0}, places;
    std::vector<uint64_t> of_token;
    std::vector<float> drawn;
    for (size_t row = 0; row < lengths.size(); ++row) {
      Stream stream(4, "kernels test positions", row);
      float p = 0;
      for (int64_t i = 0; i < lengths[row]; ++i) {
        drawn.push_back(p += static_cast<float>(stream.exponential()));
        places.push_back(static_cast<int32_t>(i));
        of_token.push_back(100 + row);
      }
      dropout.samples.push_back(100 + row);
      ends.push_back(ends.back() + lengths[row]);
      starts.push_back(static_cast<int32_t>(ends.back()));
      longest = std::max(longest, static_cast<int>(lengths[row]));
    }
    dropout.rate = rate;
    dropout.key = 77;
    tokens = starts.back();
    offsets = torch::tensor(ends, torch::kInt64);
    positions = torch::tensor(drawn, torch::kFloat32);
    device_offsets = device_copy(starts);
    within = device_copy(places);
    sample = device_copy(of_token);
    samples = device_copy(dropout.samples);
    device_positions = device_copy(drawn);
  }

  DeviceRows view() const {
    DeviceRows rows;
    rows.tokens = tokens;
    rows.rows = static_cast<int>(dropout.samples.size());
    rows.longest = longest;
    rows.offsets = device_offsets.as<int32_t>();
    rows.within = within.as<int32_t>();
    rows.sample = sample.as<uint64_t>();
    rows.samples = samples.as<uint64_t>();
    rows.positions = device_positions.as<float>();
    return rows;
  }
};

class Kernels : public testing::TestWithParam<DType> {
 protected:
  void SetUp() override {
    if (const auto refusal = device_refusal(); !refusal.empty()) GTEST_SKIP() << "NOT TESTED: " << refusal;
  }
  DType dtype() const { return GetParam(); }
  /// Tolerance for rounding of inputs and results.
  double near() const { return dtype() == DType::bf16 ? 1e-2 : 2e-5; }
};

}  // namespace rfs::kernels_test
