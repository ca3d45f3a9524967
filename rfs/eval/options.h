#pragma once

#include "rfs/core/options.h"

namespace rfs {

struct EvalOptions : Options {
  Field<std::string> n_in{this, "n_in", "planned",
                          "tokens an input is said to have: planned (prompt and answer) or current (those so far)",
                          one_of({"planned", "current"})};
  Field<std::string> match{
      this, "match", "ids",
      "right means: ids (all ids of the answer, verified in one pass) or text (decoded, by the task's rule)",
      one_of({"ids", "text"})};
  Field<int64_t> batch_tokens{this, "batch_tokens", 8192, "tokens scored at once, which changes speed and no score",
                              at_least<int64_t>(1)};
  Field<std::string> device{this, "device", "auto", "where it runs: auto (the GPU where there is one), cpu or cuda",
                            one_of({"auto", "cpu", "cuda"})};
  Field<int64_t> answers{this, "answers", 2, "answers decoded and kept for each length, for showing",
                         at_least<int64_t>(0)};
  Field<int64_t> decoded{this, "decoded", 0,
                         "samples of each length decoded and measured: token accuracy, edit distance, mistakes",
                         at_least<int64_t>(0)};
  Field<int64_t> seed{this, "seed", 1, "seed of positions, for indexings that draw at inference", at_least<int64_t>(0)};
};

}  // namespace rfs
