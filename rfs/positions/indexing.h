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

/// A training draw that the GPU can make itself: the same stream gives the same numbers there.
struct TrainDraw {
  /// How the numbers are drawn.
  enum class Kind {
    counted,         ///< 0, 1, 2 ...
    sorted_floats,   ///< range * sorted uniforms
    chosen_integers  ///< of 1 .. range, without replacement
  } kind = Kind::counted;
  double range = 0;
  bool window = false;  ///< sorted_floats: at least n_tr are drawn, and a shorter row takes the first ones
};

/// Gives each token of a row a number: its position. Training positions may be random; inference positions depend only
/// on the number of tokens.
///
/// Positions are float32, sorted and distinct within a row, for rows of up to `longest_row` tokens. An indexing may
/// reject rows that are too long for it.
///
/// `trained` is n_tr, the number of tokens of the longest training row. `input` is n_in, the number of tokens of the
/// whole input: prompt and answer if the length is planned ahead, else the tokens so far.
class PositionIndexing {
 public:
  static constexpr std::string_view family = "positions";
  /// 2^23: evenly spaced positions of a row of this length lie more than one float32 step apart.
  static constexpr int64_t longest_row = rfs::longest_row;

  virtual ~PositionIndexing() = default;

  /// Positions of a training row of `positions.size()` tokens, drawn from `stream`. Throws Error if the row is too
  /// long.
  virtual void train(Stream& stream, int64_t trained, std::span<float> positions) const = 0;

  /// Describes `train` for a GPU that can draw the same bits; nullopt: the CPU draws ahead of time.
  virtual std::optional<TrainDraw> train_draw() const { return std::nullopt; }

  /// Positions of the first `positions.size()` tokens of an inference row of `input` tokens.
  virtual void infer(Stream& stream, int64_t trained, int64_t input, std::span<float> positions) const = 0;

  /// True if tokens of a group (groups.h) share a position. Then the next two functions replace `train` and `infer` for
  /// rows with groups, and positions need not be sorted or distinct.
  virtual bool uses_groups() const { return false; }
  /// Positions of a training row with these groups.
  virtual void train_groups(Stream&, int64_t /*trained*/, std::span<const int64_t> /*groups*/, std::span<float>) const {
  }
  /// Positions of the first `positions.size()` tokens of an inference row with these groups.
  virtual void infer_groups(Stream&, int64_t /*trained*/, std::span<const int64_t> /*groups*/, std::span<float>) const {
  }

  /// The distance between neighbours in `infer`, if all distances are equal and nothing is drawn; else nullopt.
  virtual std::optional<double> even_step(int64_t /*trained*/, int64_t /*input*/) const { return std::nullopt; }
};

}  // namespace rfs
