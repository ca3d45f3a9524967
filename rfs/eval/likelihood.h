#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "rfs/eval/rows.h"
#include "rfs/text/tokenizer.h"

namespace rfs {

/// A context and its continuation, as ids, for which a log-likelihood is computed.
struct Continuation {
  std::vector<int32_t> tokens;  ///< context and continuation; the last one is only a label
  int64_t count = 0;            ///< number of ids in the continuation
  uint64_t sample = 0;          ///< that of InferenceRow
};

/// Splits context + text as lm-evaluation-harness does: white space at the end of the context moves to the
/// continuation. Both are encoded as one text, which is split after as many ids as the context alone has.
Continuation continuation(const Tokenizer& tokenizer, const std::string& context, const std::string& text);

/// Keeps the ids that a model with at most `longest` input tokens can read: the last longest + 1. Returns true if some
/// were removed.
bool truncate(Continuation& continuation, int64_t longest);

/// The sum of the log-probabilities of each continuation's ids. Runs `batch` rows at a time, or fewer if they exceed
/// eval.batch_tokens. n_in of a row is the number of tokens that the model reads. `progress(done, all)` counts tokens
/// and may throw to stop.
std::vector<double> log_likelihoods(
    const EvalContext& model, std::span<const Continuation> continuations, int64_t batch,
    const std::function<void(int64_t, int64_t)>& progress = [](int64_t, int64_t) {});

}  // namespace rfs
