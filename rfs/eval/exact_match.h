#pragma once

#include <functional>
#include <vector>

#include "rfs/eval/rows.h"
#include "rfs/records/eval_record.h"
#include "rfs/tasks/examples.h"

namespace rfs {

/// For each example: would greedy decoding produce its answer exactly? Nothing is decoded. The answer is exact if at
/// every step the arg max, given the true previous tokens, is the true next token. With n_in planned this takes one
/// pass over prompt and answer. With n_in current each step is a separate row.
///
/// `progress(done, all)` is called as examples finish.
std::vector<bool> exact_match(
    const EvalContext& model, const Examples& examples,
    const std::function<void(int64_t, int64_t)>& progress = [](int64_t, int64_t) {});

/// Counts correct answers by the task's length, sorted by length.
std::vector<EvalRecord::Length> by_length(const Examples& examples, const std::vector<bool>& right, bool trained);

}  // namespace rfs
