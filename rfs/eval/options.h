#pragma once

#include "rfs/core/choices.h"
#include "rfs/core/options.h"

namespace rfs {

/// The input length n_in that places the positions: prompt and answer, or the tokens so far.
enum class InputLength { planned, current };
constexpr auto enum_names(InputLength) {
  return std::array<std::string_view, 2>{"planned", "current"};
}

/// How answers are compared: by ids, or by the task's own rule for texts (Task::right).
enum class AnswerMatch { ids, text };
constexpr auto enum_names(AnswerMatch) {
  return std::array<std::string_view, 2>{"ids", "text"};
}

/// The [eval] table.
struct EvalOptions : Options {
  Field<InputLength> n_in{
      this, "n_in", InputLength::planned,
      "input length used to place the positions: planned (prompt and answer) or current (tokens so far)"};
  Field<AnswerMatch> match{
      this, "match", AnswerMatch::ids,
      "how answers are checked: ids (all ids must match, verified in one pass) or text (decoded, by the task's rule)"};
  Field<int64_t> batch_tokens{this, "batch_tokens", 8192, "tokens scored at once; changes the speed but no score",
                              at_least<int64_t>(1)};
  Field<DeviceChoice> device{this, "device", DeviceChoice::automatic,
                             "device: auto (the GPU if there is one), cpu or cuda"};
  Field<Precision> precision{
      this, "precision", Precision::automatic,
      "arithmetic precision of eval, score and generate; auto is bf16 with the kernels on a GPU, else fp32"};
  Field<int64_t> answers{this, "answers", 2, "sample answers to decode and store for each length",
                         at_least<int64_t>(0)};
  Field<int64_t> decoded{this, "decoded", 0,
                         "samples of each length to decode and analyze: token accuracy, edit distance, mistakes",
                         at_least<int64_t>(0)};
  Field<int64_t> seed{this, "seed", 1, "seed of the positions, for indexings that are random at inference",
                      at_least<int64_t>(0)};
};

}  // namespace rfs
