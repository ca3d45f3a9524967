#pragma once

#include <functional>
#include <vector>

#include "rfs/eval/rows.h"
#include "rfs/records/eval_record.h"
#include "rfs/tasks/examples.h"

namespace rfs {

/// Whether greedy decoding would give each example's answer exactly. Nothing is decoded: it would, exactly when at
/// every step the arg max given the true tokens before is the next true one. With n_in planned that is one pass over
/// prompt and answer; with n_in current each step is a row of its own.
///
/// `progress(done, all)` is called as examples finish.
std::vector<bool> exact_match(
    const EvalContext& model, const Examples& examples,
    const std::function<void(int64_t, int64_t)>& progress = [](int64_t, int64_t) {});

/// Adds up right answers by the task's length, in order of length.
std::vector<EvalRecord::Length> by_length(const Examples& examples, const std::vector<bool>& right, bool trained);

}  // namespace rfs
