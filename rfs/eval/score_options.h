#pragma once

#include "rfs/core/options.h"

namespace rfs {

/// How documents of benchmarks are scored.
struct ScoreOptions : Options {
  Field<int64_t> longest{this, "longest", 2048, "most tokens a model reads: longer contexts lose their first ones",
                         at_least<int64_t>(1)};
  Field<int64_t> batch{this, "batch", 64,
                       "rows scored at once, which changes speed alone (on a GPU also a score's last bits)",
                       at_least<int64_t>(1)};
  Field<int64_t> limit{this, "limit", 0, "documents of each benchmark, the first ones; 0: all", at_least<int64_t>(0)};
};

}  // namespace rfs
