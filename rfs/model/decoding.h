#pragma once

#include <span>
#include <vector>

#include "rfs/model/decoder.h"

namespace rfs {

/// Rows that grow by a token a step, their positions known ahead (move() aside). Rotated keys and values of every layer
/// are kept, so that a step costs one token a row. Rows end at different times: a closed one costs nothing.
class Decoding {
 public:
  /// A row's positions: one list per position track of the model.
  using Tracks = std::vector<std::vector<float>>;
  struct Start {
    std::span<const int32_t> prompt;  ///< one token or more
    Tracks positions;                 ///< of every token the row may come to have
  };

  /// Runs the prompts. Computes without gradients.
  Decoding(const Decoder& decoder, std::span<const Start> starts);

  /// The open rows: their numbers among `starts`, in the order of logits() and of step()'s tokens.
  const std::vector<size_t>& open() const { return open_; }
  /// Scores [open, V] of what follows each open row's last token.
  const torch::Tensor& logits() const { return logits_; }

  /// Ends the rows at some slots of open(), sorted; surviving rows from the end fill the gaps. logits() has no meaning
  /// until a step.
  void close(std::span<const size_t> slots);
  /// Appends a token to each open row.
  void step(std::span<const int32_t> tokens);
  /// Gives the only open row other positions, for every token it may come to have, also more than before. Kept keys are
  /// rotated to theirs, but what was computed from the old ones stays: exact where positions so far are the same, or
  /// where there is one layer. Not for encodings that add positions to tokens.
  void move(const Tracks& positions);

 private:
  struct Layer {
    torch::Tensor keys_BKTE, values_BKTE;
  };

  int64_t capacity() const { return positions_BT_.front().size(1); }

  const Decoder& decoder_;
  std::vector<size_t> open_;
  std::vector<int64_t> sizes_;               ///< tokens so far, one an open row
  std::vector<torch::Tensor> positions_BT_;  ///< of each track: float32, on the CPU; T is the longest row to come
  std::vector<Layer> layers_;
  torch::Tensor logits_;
};

}  // namespace rfs
