#pragma once

#include <torch/types.h>

#include <cstdint>
#include <vector>

#include "rfs/ops/device_rows.h"

namespace rfs {

/// Dropout whose every element is a pure function of (key, sample, site, element): the same for a sample whatever its
/// batch neighbours, and the same again when a run is resumed.
struct Dropout {
  double rate = 0;
  uint64_t key = 0;               ///< stream_key(seed, "dropout")
  std::vector<uint64_t> samples;  ///< one a row: the sample's number in the order of training

  bool active() const { return rate > 0; }

  /// What element `index` of row `row` at `site` is multiplied with: 0, or 1 / (1 - rate). A call of Philox serves
  /// eight neighbouring elements, 16 bits each, so the rate is a multiple of 2^-16.
  double factor(size_t row, uint32_t site, uint64_t index) const;
  /// Elements whose 16 bits are below this are dropped.
  uint32_t threshold() const;
  /// Index of the attention weight of query i and key j in a row of n tokens. Keys are permuted within each 32 so that
  /// those one thread of a GPU's matrix units holds share a call: j, j + 1 and these plus 8, 16 and 24.
  static uint64_t attention_index(uint64_t head, uint64_t n, uint64_t i, uint64_t j);

  /// The same for kernels; its samples travel with the rows.
  DeviceDropout on_device() const;
};

/// x_ND with dropout. `offsets` [B + 1] (int64, CPU) says which tokens belong to which row; an element's index is
/// token in row * D + feature.
torch::Tensor drop(const torch::Tensor& x_ND, const torch::Tensor& offsets, const Dropout& dropout, uint32_t site);

}  // namespace rfs
