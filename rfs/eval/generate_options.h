#pragma once

#include <array>

#include "rfs/core/limits.h"
#include "rfs/core/options.h"

namespace rfs {

/// What n_in is while a text grows.
enum class LengthPolicy { planned, current, bucket, rerotate };
constexpr auto enum_names(LengthPolicy) {
  return std::array<std::string_view, 4>{"planned", "current", "bucket", "rerotate"};
}

/// How text is generated.
struct GenerateOptions : Options {
  Field<int64_t> tokens{this, "tokens", 128, "tokens to write at most", between<int64_t>(1, longest_row)};
  Field<LengthPolicy> n_in{this, "n_in", LengthPolicy::planned,
                           "what n_in is while the text grows: planned (prompt and --tokens), current (tokens so far), "
                           "bucket (those rounded up) or rerotate (tokens so far, kept keys rotated)"};
  Field<int64_t> bucket{this, "bucket", 64, "n_in bucket: multiples of so many tokens",
                        between<int64_t>(1, int64_t{1} << 40)};
  Field<double> temperature{this, "temperature", 0.0, "0 writes the likeliest token, 1 draws from the model",
                            between(0.0, 1e3)};
  Field<int64_t> top_k{this, "top_k", 0, "draw from the so many likeliest tokens; 0: from all", at_least<int64_t>(0)};
  Field<double> top_p{this, "top_p", 1.0, "draw from the likeliest tokens that make up this much together",
                      between(1e-9, 1.0)};
  Field<int64_t> seed{this, "seed", 1, "seed of the draws", at_least<int64_t>(0)};
};

}  // namespace rfs
