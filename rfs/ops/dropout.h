#pragma once

#include <torch/types.h>

#include <cstdint>
#include <vector>

#include "rfs/ops/device_rows.h"

namespace rfs {

/// Dropout in which every element is a pure function of (key, sample, site, element). A sample's dropout does not
/// depend on the other rows of its batch and is the same when a run is resumed.
struct Dropout {
  double rate = 0;
  uint64_t key = 0;               ///< stream_key(seed, "dropout")
  std::vector<uint64_t> samples;  ///< one per row: the sample's number in training order

  bool active() const { return rate > 0; }

  /// The factor of element `index` of row `row` at `site`: 0 or 1 / (1 - rate). One Philox call serves eight
  /// neighbouring elements with 16 bits each, so the rate is a multiple of 2^-16.
  double factor(size_t row, uint32_t site, uint64_t index) const;
  /// Elements whose 16 bits are below this are dropped.
  uint32_t threshold() const;
  /// Index of the attention weight of query i and key j in a row of n tokens. Keys are permuted within each group of
  /// 32. This way the keys that one GPU thread holds on the tensor cores (j, j + 1 and these plus 8, 16 and 24) share
  /// one Philox call.
  static uint64_t attention_index(uint64_t head, uint64_t n, uint64_t i, uint64_t j);

  /// The same for kernels, which take the sample numbers from DeviceRows.
  DeviceDropout on_device() const;
};

/// Applies dropout to x_ND. Row b is tokens offsets[b] .. offsets[b + 1]; `offsets` is [B + 1], int64, on the CPU. An
/// element's index is (token within its row) * D + feature.
torch::Tensor drop(const torch::Tensor& x_ND, const torch::Tensor& offsets, const Dropout& dropout, uint32_t site);

}  // namespace rfs
