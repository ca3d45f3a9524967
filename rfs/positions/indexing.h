#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "rfs/core/limits.h"
#include "rfs/core/options.h"
#include "rfs/core/random.h"
#include "rfs/core/registry.h"

namespace rfs {

/// A training draw that a GPU can make by itself, from the same stream to the same numbers.
struct TrainDraw {
  enum class Kind {
    counted,         ///< 0, 1, 2 ...
    sorted_floats,   ///< range * sorted uniforms
    chosen_integers  ///< of 1 .. range, without replacement
  } kind = Kind::counted;
  double range = 0;
  bool window = false;  ///< sorted_floats: at least n_tr are drawn and a short row takes the first ones
};

/// Gives each token of a row a number: its position. While training positions may be random; at inference they follow
/// from the number of tokens.
///
/// Positions are float32, sorted and distinct within a row. That holds for rows up to `longest_row` tokens for every
/// indexing that accepts the row at all.
///
/// `trained` is n_tr, the tokens of the longest training row. `input` is n_in, the tokens the whole input will have:
/// prompt and answer when it is planned ahead, the tokens so far when it is not.
class PositionIndexing {
 public:
  static constexpr std::string_view family = "positions";
  /// 2^23: up to here evenly spaced positions lie more than one float32 step apart.
  static constexpr int64_t longest_row = rfs::longest_row;

  virtual ~PositionIndexing() = default;

  /// Positions of a training row of `positions.size()` tokens, drawn from `stream`. Throws Error where the row is too
  /// long.
  virtual void train(Stream& stream, int64_t trained, std::span<float> positions) const = 0;

  /// What `train` does, for a GPU that can do it to the same bits; nothing: it is done on the CPU, ahead of time.
  virtual std::optional<TrainDraw> train_draw() const { return std::nullopt; }

  /// Positions of the first `positions.size()` tokens of an inference row of `input` tokens.
  virtual void infer(Stream& stream, int64_t trained, int64_t input, std::span<float> positions) const = 0;

  /// The distance between neighbours that `infer` gives, where it is one for all and nothing is drawn.
  virtual std::optional<double> even_step(int64_t /*trained*/, int64_t /*input*/) const { return std::nullopt; }
};

}  // namespace rfs
