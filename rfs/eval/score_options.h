#pragma once

#include "rfs/core/options.h"

namespace rfs {

/// How the documents of benchmarks are scored.
struct ScoreOptions : Options {
  Field<int64_t> longest{this, "longest", 2048, "maximum input tokens; longer contexts are truncated at the start",
                         at_least<int64_t>(1)};
  Field<int64_t> batch{this, "batch", 64,
                       "rows scored at once; changes only the speed (on a GPU also the last bits of scores)",
                       at_least<int64_t>(1)};
  Field<int64_t> limit{this, "limit", 0, "score only the first documents of each benchmark; 0: all",
                       at_least<int64_t>(0)};
};

}  // namespace rfs
