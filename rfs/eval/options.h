#pragma once

#include "rfs/core/choices.h"
#include "rfs/core/options.h"

namespace rfs {

/// The input length n_in that places the positions: of prompt and answer, or of the tokens so far.
enum class InputLength { planned, current };
constexpr auto enum_names(InputLength) {
  return std::array<std::string_view, 2>{"planned", "current"};
}

enum class AnswerMatch { ids, text };
constexpr auto enum_names(AnswerMatch) {
  return std::array<std::string_view, 2>{"ids", "text"};
}

struct EvalOptions : Options {
  Field<InputLength> n_in{
      this, "n_in", InputLength::planned,
      "input length used to place the positions: planned (prompt and answer) or current (tokens so far)"};
  Field<AnswerMatch> match{
      this, "match", AnswerMatch::ids,
      "right means: ids (all ids of the answer, verified in one pass) or text (decoded, by the task's rule)"};
  Field<int64_t> batch_tokens{this, "batch_tokens", 8192, "tokens scored at once, which changes speed and no score",
                              at_least<int64_t>(1)};
  Field<DeviceChoice> device{this, "device", DeviceChoice::automatic,
                             "where it runs: auto (the GPU if there is one), cpu or cuda"};
  Field<Precision> precision{
      this, "precision", Precision::automatic,
      "of the arithmetic of eval, score and generate; auto is bf16 where a GPU's kernels run, else fp32"};
  Field<int64_t> answers{this, "answers", 2, "answers decoded and kept for each length, for showing",
                         at_least<int64_t>(0)};
  Field<int64_t> decoded{this, "decoded", 0,
                         "samples of each length decoded and measured: token accuracy, edit distance, mistakes",
                         at_least<int64_t>(0)};
  Field<int64_t> seed{this, "seed", 1, "seed of positions, for indexings that draw at inference", at_least<int64_t>(0)};
};

}  // namespace rfs
