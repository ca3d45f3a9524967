#pragma once

#include <torch/types.h>

#include <functional>
#include <span>
#include <vector>

#include "rfs/eval/options.h"
#include "rfs/model/predictor.h"
#include "rfs/positions/tracks.h"

namespace rfs {

/// A trained model and how its inputs get their positions: what scoring and decoding need.
struct EvalContext {
  const Predictor& predictor;
  PositionTracks positions;
  int64_t trained_length;  ///< n_tr
  const EvalOptions& options;
};

/// One row to run at inference. `input` is n_in. `sample` is the number of the random stream, for indexings that are
/// random at inference.
struct InferenceRow {
  Row row;
  int64_t input = 0;
  uint64_t sample = 0;
};

/// Positions of the row's first `count` tokens, on each track.
PositionTracks::Rows inference_positions(const EvalContext& model, const InferenceRow& row, int64_t count);

/// Packs rows with their inference positions.
Batch inference_batch(const EvalContext& model, std::span<const InferenceRow> rows);

/// Calls `body(first, last)` for consecutive ranges of `rows` whose inputs have at most `limit` tokens in total. A
/// range has at least one row.
void for_each_batch(int64_t limit, std::span<const InferenceRow> rows,
                    const std::function<void(size_t first, size_t last)>& body);

}  // namespace rfs
