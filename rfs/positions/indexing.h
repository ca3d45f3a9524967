#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "rfs/core/options.h"
#include "rfs/core/random.h"
#include "rfs/core/registry.h"

namespace rfs {

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
  static constexpr int64_t longest_row = int64_t{1} << 23;

  virtual ~PositionIndexing() = default;

  /// Positions of a training row of `positions.size()` tokens, drawn from `stream`. Throws Error where the row is too
  /// long.
  virtual void train(Stream& stream, int64_t trained, std::span<float> positions) const = 0;

  /// Positions of the first `positions.size()` tokens of an inference row of `input` tokens.
  virtual void infer(Stream& stream, int64_t trained, int64_t input, std::span<float> positions) const = 0;
};

}  // namespace rfs
