#pragma once

#include <functional>
#include <span>
#include <vector>

#include "rfs/eval/rows.h"
#include "rfs/model/decoder.h"

namespace rfs {

/// A prompt to continue greedily by at most `budget` tokens. `sample` is that of InferenceRow.
struct Prompt {
  std::span<const int32_t> tokens;
  int64_t budget = 0;
  uint64_t sample = 0;
};

/// Generates the continuations, each up to and including one of `ends`, or `budget` tokens long. n_in is prompt +
/// budget if planned, and the number of tokens so far if current. If planned, a step costs one token per row
/// (Decoding). If current, it recomputes whole rows with model.predictor. A GPU decodes decoding_share times as many
/// tokens at once as it scores, because one decoding step hardly uses it.
///
/// `progress(done, all)` is called before each step with the number of finished prompts. It may throw to stop.
inline constexpr int64_t decoding_share = 16;
std::vector<std::vector<int32_t>> greedy_answers(
    const Decoder& decoder, const EvalContext& model, std::span<const Prompt> prompts, const std::vector<int32_t>& ends,
    const std::function<void(int64_t, int64_t)>& progress = [](int64_t, int64_t) {});

}  // namespace rfs
