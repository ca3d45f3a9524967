#pragma once

#include <functional>

#include "rfs/eval/rows.h"
#include "rfs/records/eval_record.h"
#include "rfs/tasks/examples.h"

namespace rfs {

/// Mean loss of the examples' answers. n_in of a row is the number of tokens that the model reads.
double mean_loss(
    const EvalContext& model, const Examples& examples,
    const std::function<void(int64_t, int64_t)>& progress = [](int64_t, int64_t) {});

/// The loss by input length and by place in the input. The first window / 2, window, 2 window ... tokens of each row
/// are inputs, and n_in is their number. Places are grouped into parts that end at window / 4, window / 2, window, 2
/// window ...
std::vector<EvalRecord::Loss> loss_by_length(const EvalContext& model, const Examples& rows, int64_t window,
                                             const std::function<void(int64_t, int64_t)>& progress);

/// The loss of the same tokens with more and more context: each row is cut at the longest of the lengths above, and the
/// last window / 2 tokens are predicted from inputs of window, 2 window ... tokens that end there.
std::vector<EvalRecord::Loss> loss_of_last_tokens(const EvalContext& model, const Examples& rows, int64_t window,
                                                  const std::function<void(int64_t, int64_t)>& progress);

}  // namespace rfs
