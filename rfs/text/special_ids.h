#pragma once

#include <cstdint>
#include <vector>

#include "rfs/core/options.h"

namespace rfs {

/// Options of the tokenizers that an imported model can have: its special ids besides the end-of-text id.
struct SpecialIds {
  explicit SpecialIds(Options* owner);

  /// The ids at which generated text ends, `end` first.
  std::vector<int32_t> ends(int32_t end) const;
  /// Throws Error for an id that is not below `size`.
  void require_below(int64_t size) const;

  Field<int64_t> begin, pad;
  Field<std::vector<int64_t>> more_ends;
};

}  // namespace rfs
