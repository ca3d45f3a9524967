#pragma once

#include <functional>
#include <span>
#include <vector>

#include "rfs/eval/text_generator.h"
#include "rfs/records/policies.h"

namespace rfs {

/// A text whose tokens from `prompt` on are fed one by one.
struct KnownText {
  std::vector<int32_t> tokens;
  int64_t prompt = 1;
};

/// Runs every policy that the model supports over the same texts and compares their predictions, in parts of `part`
/// tokens. `progress(done, all)` counts tokens and may throw to stop.
std::vector<PolicyRecord::Part> compare_policies(
    const Decoder& decoder, const EvalContext& model, const GenerateOptions& options, std::span<const KnownText> texts,
    int64_t part, const std::function<void(int64_t, int64_t)>& progress = [](int64_t, int64_t) {});

}  // namespace rfs
