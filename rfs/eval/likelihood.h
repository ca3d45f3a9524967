#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "rfs/eval/rows.h"
#include "rfs/text/tokenizer.h"

namespace rfs {

/// A context and what is to follow it, as ids: what a log-likelihood is asked of.
struct Continuation {
  std::vector<int32_t> tokens;  ///< context and continuation; the last one is only ever a label
  int64_t count = 0;            ///< of the continuation
  uint64_t sample = 0;          ///< as in InferenceRow
};

/// `text` after `context`. White space at the context's end goes to the continuation; both are encoded as one text and
/// divided by the number of the context's ids alone, as lm-evaluation-harness does.
Continuation continuation(const Tokenizer& tokenizer, const std::string& context, const std::string& text);

/// Leaves the ids that a model reading at most `longest` tokens takes: the last longest + 1. True where some went.
bool truncate(Continuation& continuation, int64_t longest);

/// The sum of the log-probabilities of each continuation's ids, `batch` rows at a time (less, where they have over
/// eval.batch_tokens). n_in of a row is the tokens that are read of it. `progress(done, all)` counts tokens and may
/// throw to stop.
std::vector<double> log_likelihoods(
    const EvalContext& model, std::span<const Continuation> continuations, int64_t batch,
    const std::function<void(int64_t, int64_t)>& progress = [](int64_t, int64_t) {});

}  // namespace rfs
