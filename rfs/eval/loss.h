#pragma once

#include <functional>

#include "rfs/eval/rows.h"
#include "rfs/records/eval_record.h"
#include "rfs/tasks/examples.h"

namespace rfs {

/// Mean loss of the examples' answers, each row with n_in of its own size.
double mean_loss(
    const EvalContext& model, const Examples& examples,
    const std::function<void(int64_t, int64_t)>& progress = [](int64_t, int64_t) {});

/// The loss by the length of the input and by place in it: of each row the first window / 2, window, 2 window ...
/// tokens are inputs, n_in their number. Places are counted in parts that end at window / 4, window / 2, window, 2
/// window ...
std::vector<EvalRecord::Loss> loss_by_length(const EvalContext& model, const Examples& rows, int64_t window,
                                             const std::function<void(int64_t, int64_t)>& progress);

}  // namespace rfs
