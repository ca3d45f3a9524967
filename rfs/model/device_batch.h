#pragma once

#include <vector>

#include "rfs/device/device_ops.h"
#include "rfs/model/batch.h"

namespace rfs {

/// A batch in GPU memory, as DeviceOps needs it. Empty rows and targets without a label (-1) may fill it up.
struct BatchOnDevice {
  DevicePass pass;
  torch::Tensor tokens_N, target_of_N;   ///< int32; `target_of_N`: the target that follows a token, or -1
  torch::Tensor predict_M, labels_M;     ///< int32
  torch::Tensor targets;                 ///< [1] int32: divisor of the sum of losses
  torch::Tensor seen_N, row_begin_N;     ///< float32: tokens of the row up to each token; int32: where the row begins
  std::vector<torch::Tensor> positions;  ///< [N] float32, one per track
};

/// Layout of a batch's arrays in one block of memory, for a maximum number of tokens, targets and rows.
class BatchLayout {
 public:
  BatchLayout(int64_t tokens, int64_t targets, int64_t rows, int64_t longest, size_t tracks);

  size_t bytes() const { return bytes_; }
  /// Writes a batch to `host`, filled up to `tokens` tokens and `targets` targets. The sum of losses is divided by
  /// `real_targets`.
  void fill(const Batch& batch, const Dropout& dropout, int64_t tokens, int64_t targets, int64_t real_targets,
            char* host) const;
  /// The batch of `tokens` tokens and `targets` targets in `memory` [bytes()], uint8 on a GPU.
  BatchOnDevice view(const torch::Tensor& memory, int64_t tokens, int64_t targets, const Dropout& dropout) const;

  /// A copy of `batch` without filling.
  static BatchOnDevice copy(const Batch& batch, const Dropout& dropout, torch::Device device);

  /// Filler rows at the end of a batch, and the maximum number of tokens in each.
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
  std::vector<size_t> at_;  // offset of each array; the tracks' positions follow one another
};

}  // namespace rfs
