#pragma once

#include <vector>

#include "rfs/device/device_ops.h"
#include "rfs/model/batch.h"

namespace rfs {

/// A batch in a GPU's memory, as DeviceOps wants it. Rows without tokens and targets without a label (-1) may fill it.
struct BatchOnDevice {
  DevicePass pass;
  torch::Tensor tokens_N, target_of_N;   ///< int32; `target_of_N`: which target follows a token, or -1
  torch::Tensor predict_M, labels_M;     ///< int32
  torch::Tensor targets;                 ///< [1] int32: what the sum of losses is divided by
  torch::Tensor seen_N, row_begin_N;     ///< float32 tokens of the row up to each; int32 where the row begins
  std::vector<torch::Tensor> positions;  ///< [N] float32, one per track
};

/// Where a batch's arrays lie in one piece of memory, for batches of up to so many tokens, targets and rows.
class BatchLayout {
 public:
  BatchLayout(int64_t tokens, int64_t targets, int64_t rows, int64_t longest, size_t tracks);

  size_t bytes() const { return bytes_; }
  /// Writes a batch to `host`, filled up to so many tokens and targets. The sum of losses is divided by
  /// `real_targets`.
  void fill(const Batch& batch, const Dropout& dropout, int64_t tokens, int64_t targets, int64_t real_targets,
            char* host) const;
  /// The batch of so many tokens and targets that lies in `memory` [bytes()], uint8 on a GPU.
  BatchOnDevice view(const torch::Tensor& memory, int64_t tokens, int64_t targets, const Dropout& dropout) const;

  /// A copy of `batch` as it is.
  static BatchOnDevice copy(const Batch& batch, const Dropout& dropout, torch::Device device);

  /// Rows that fill a batch up, and how many tokens each has at most.
  static constexpr int64_t filler_rows = 4, filler_tokens = 32;

 private:
  enum class Array {
    offsets,
    within,
    sample,
    samples,
    tokens,
    target_of,
    predict,
    labels,
    targets,
    seen,
    begin,
    positions
  };
  size_t at(Array array, size_t track = 0) const { return at_[static_cast<size_t>(array) + track]; }

  int64_t tokens_, targets_, rows_, longest_;
  size_t tracks_, bytes_ = 0;
  std::vector<size_t> at_;  // of each array, the tracks' positions one after the other
};

}  // namespace rfs
