#pragma once

#include <functional>
#include <span>
#include <vector>

#include "rfs/eval/rows.h"
#include "rfs/model/decoder.h"

namespace rfs {

/// A prompt to continue greedily by at most `budget` tokens. `sample` as in InferenceRow.
struct Prompt {
  std::span<const int32_t> tokens;
  int64_t budget = 0;
  uint64_t sample = 0;
};

/// The continuations: up to and with `end`, or `budget` tokens. n_in is prompt + budget when planned, the tokens so far
/// when current. Planned, a step costs one token a row (Decoding); current, it recomputes whole rows on
/// model.predictor. A GPU decodes rows of decoding_share times as many tokens at once as it scores: a step is little
/// work for it, whatever it runs.
///
/// `progress(done, all)` is called before each step with the prompts that are done, and may throw to stop.
inline constexpr int64_t decoding_share = 16;
std::vector<std::vector<int32_t>> greedy_answers(
    const Decoder& decoder, const EvalContext& model, std::span<const Prompt> prompts, int32_t end,
    const std::function<void(int64_t, int64_t)>& progress = [](int64_t, int64_t) {});

}  // namespace rfs
