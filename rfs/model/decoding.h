#pragma once

#include <memory>
#include <span>
#include <vector>

#include "rfs/model/decoding_cache.h"

namespace rfs {

/// Decoding with a key-value cache: rows grow by one token per step, at positions known in advance (except after
/// move()). The cache holds every layer's rotated keys and values. Rows may end at different times; closed rows cost
/// nothing. If the decoder uses the kernels of a GPU, so does decoding.
class Decoding {
 public:
  /// A row's positions: one list per position track of the model.
  using Tracks = std::vector<std::vector<float>>;
  /// A row to begin with.
  struct Start {
    std::span<const int32_t> prompt;  ///< one token or more
    Tracks positions;                 ///< of every token that the row may reach
  };

  /// Runs the prompts, without gradients.
  Decoding(const Decoder& decoder, std::span<const Start> starts);
  ~Decoding();

  /// The open rows: their numbers among `starts`, in the order of logits() and of step()'s tokens.
  const std::vector<size_t>& open() const { return open_; }
  /// Logits [open, V] of the token after each open row's last one.
  const torch::Tensor& logits() const { return logits_; }

  /// Ends the rows at these slots of open(), sorted; surviving rows from the end fill the gaps. logits() is invalid
  /// until the next step.
  void close(std::span<const size_t> slots);
  /// Appends a token to each open row.
  void step(std::span<const int32_t> tokens);
  /// Gives each open row positions for more tokens. Those of its tokens so far must stay the same.
  void extend(std::span<const Tracks> positions);
  /// Gives the only open row new positions for every token that it may reach, possibly more than before. Cached keys
  /// are rotated to their new positions, but results of earlier layers stay as they are. This is exact if the positions
  /// so far do not change or the model has one layer. Requires Decoder::can_rerotate.
  void move(const Tracks& positions);

 private:
  void set_positions(std::span<const Tracks> positions);

  std::vector<size_t> open_;
  std::vector<int64_t> planned_;  ///< tokens that each open row may reach
  OpenRows rows_;
  std::unique_ptr<DecodingCache> cache_;
  torch::Tensor logits_;
};

}  // namespace rfs
