#include "rfs/ops/dropout.h"

#include <ATen/Parallel.h>

#include <cmath>

#include "rfs/arithmetic/dropout.h"

namespace rfs {

double Dropout::factor(size_t row, uint32_t site, uint64_t index) const {
  const uint64_t block = index / 8, sample = samples[row];
  const Words4 bits = dropout_bits(key, sample, site, block);
  const uint32_t words[] = {bits.x, bits.y, bits.z, bits.w};
  const uint32_t draw = (words[index % 8 / 2] >> (index % 2 * 16)) & 0xffff, dropped = threshold();
  return draw < dropped ? 0.0 : 65536.0 / (65536 - dropped);
}

uint32_t Dropout::threshold() const {
  return static_cast<uint32_t>(std::lround(rate * 65536));
}

uint64_t Dropout::attention_index(uint64_t head, uint64_t n, uint64_t i, uint64_t j) {
  return attention_dropout_index(head, n, i, j);
}

DeviceDropout Dropout::on_device() const {
  if (!active()) return {};
  const uint32_t dropped = threshold();
  return {dropped, 65536.f / static_cast<float>(65536 - dropped), key};
}

torch::Tensor drop(const torch::Tensor& x_ND, const torch::Tensor& offsets, const Dropout& dropout, uint32_t site) {
  if (!dropout.active()) return x_ND;
  const int64_t rows = offsets.size(0) - 1, width = x_ND.size(1);
  TORCH_CHECK(static_cast<int64_t>(dropout.samples.size()) == rows, "dropout: needs one sample number per row");
  torch::Tensor factor_ND = torch::empty(x_ND.sizes(), torch::kFloat64);
  const int64_t* offset = offsets.data_ptr<int64_t>();
  double* factors = factor_ND.data_ptr<double>();
  at::parallel_for(0, rows, 1, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const int64_t count = (offset[row + 1] - offset[row]) * width;
      for (int64_t i = 0; i < count; ++i) {
        factors[offset[row] * width + i] = dropout.factor(static_cast<size_t>(row), site, static_cast<uint64_t>(i));
      }
    }
  });
  return x_ND * factor_ND.to(x_ND.options());
}

}  // namespace rfs
