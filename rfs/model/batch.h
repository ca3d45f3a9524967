#pragma once

#include <torch/types.h>

#include <cstdint>
#include <span>
#include <vector>

namespace rfs {

/// One row to be packed: what the model reads, and what it should say after each of its last labels.size() tokens. A
/// sequence's last token is only ever a label, so it is not read.
struct Row {
  std::span<const int32_t> tokens;
  std::span<const int32_t> labels;
};

/// The row of a whole sequence whose targets begin at `answer`, 1 or more.
inline Row sequence_row(std::span<const int32_t> sequence, int64_t answer) {
  return {sequence.first(sequence.size() - 1), sequence.subspan(static_cast<size_t>(answer))};
}

/// Rows one after another on one axis of N tokens: no padding, no mask.
struct Batch {
  torch::Tensor tokens_N;                ///< int64
  std::vector<torch::Tensor> positions;  ///< one float32 tensor [N] per position track
  torch::Tensor offsets;                 ///< [B + 1] int64
  torch::Tensor predict_M;               ///< int64: the tokens after which a target follows
  torch::Tensor labels_M;                ///< int64: those targets
  torch::Tensor seen_N;                  ///< int64: tokens of its row up to each token, itself included
  torch::Tensor input_B;                 ///< int64: n_in, the tokens each row's whole input will have

  int64_t tokens() const { return tokens_N.size(0); }
  int64_t rows() const { return offsets.size(0) - 1; }
};

/// `tracks` has one list per position track, each with one number per token, row after row. `input_B` is the rows' own
/// number of tokens.
Batch pack(std::span<const Row> rows, const std::vector<std::vector<float>>& tracks);
/// The same for one track.
Batch pack(std::span<const Row> rows, std::span<const float> positions);

}  // namespace rfs
