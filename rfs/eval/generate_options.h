#pragma once

#include <array>

#include "rfs/core/limits.h"
#include "rfs/core/options.h"

namespace rfs {

/// How n_in changes while a text grows.
enum class LengthPolicy { planned, current, bucket, rerotate };
constexpr auto enum_names(LengthPolicy) {
  return std::array<std::string_view, 4>{"planned", "current", "bucket", "rerotate"};
}

/// How text is generated.
struct GenerateOptions : Options {
  Field<int64_t> tokens{this, "tokens", 128, "maximum number of tokens to generate", between<int64_t>(1, longest_row)};
  Field<LengthPolicy> n_in{this, "n_in", LengthPolicy::planned,
                           "n_in while the text grows: planned (prompt and --tokens), current (tokens so far), "
                           "bucket (tokens so far, rounded up) or rerotate (tokens so far; cached keys are rotated)"};
  Field<int64_t> bucket{this, "bucket", 64, "for n_in bucket: round up to a multiple of this",
                        between<int64_t>(1, int64_t{1} << 40)};
  Field<double> temperature{this, "temperature", 0.0,
                            "0 takes the most likely token, 1 samples from the model's distribution",
                            between(0.0, 1e3)};
  Field<int64_t> top_k{this, "top_k", 0, "sample from this many most likely tokens; 0: from all", at_least<int64_t>(0)};
  Field<double> top_p{this, "top_p", 1.0, "sample from the most likely tokens with this total probability",
                      between(1e-9, 1.0)};
  Field<int64_t> seed{this, "seed", 1, "seed for sampling", at_least<int64_t>(0)};
};

}  // namespace rfs
