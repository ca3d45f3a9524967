#pragma once

#include <torch/types.h>

#include <cstdint>
#include <span>
#include <vector>

namespace rfs {

/// One row to pack: the tokens that the model reads, and the labels of its last labels.size() tokens. The last token of
/// a sequence is only a label, so the model does not read it.
struct Row {
  std::span<const int32_t> tokens;
  std::span<const int32_t> labels;
};

/// The row of a whole sequence whose targets begin at `answer`, which is at least 1.
inline Row sequence_row(std::span<const int32_t> sequence, int64_t answer) {
  return {sequence.first(sequence.size() - 1), sequence.subspan(static_cast<size_t>(answer))};
}

/// Rows concatenated on one axis of N tokens, without padding or mask.
struct Batch {
  torch::Tensor tokens_N;                ///< int64
  std::vector<torch::Tensor> positions;  ///< one float32 tensor [N] per position track
  torch::Tensor offsets;                 ///< [B + 1] int64
  torch::Tensor predict_M;               ///< int64: indices of the tokens that precede a target
  torch::Tensor labels_M;                ///< int64: the targets
  torch::Tensor seen_N;                  ///< int64: number of tokens in the row up to and including each token
  torch::Tensor input_B;                 ///< int64: n_in, the tokens that each row's whole input will have

  int64_t tokens() const { return tokens_N.size(0); }   ///< N
  int64_t rows() const { return offsets.size(0) - 1; }  ///< B
};

/// `tracks` has one list per position track, each with one number per token, row after row. `input_B` is the rows' own
/// number of tokens.
Batch pack(std::span<const Row> rows, const std::vector<std::vector<float>>& tracks);
/// The same for one track.
Batch pack(std::span<const Row> rows, std::span<const float> positions);

}  // namespace rfs
