#include "rfs/text/special_ids.h"

#include "rfs/core/error.h"
#include "rfs/core/format.h"

namespace rfs {

SpecialIds::SpecialIds(Options* owner)
    : begin{owner, "begin", -1, "id of the beginning-of-text token, for exports; -1: none", at_least<int64_t>(-1)},
      pad{owner, "pad", -1, "id of the padding token, for exports; -1: none", at_least<int64_t>(-1)},
      more_ends{owner, "more_ends", {}, "further ids at which generated text ends"} {}

std::vector<int32_t> SpecialIds::ends(int32_t end) const {
  std::vector<int32_t> ends = {end};
  for (const int64_t id : *more_ends) ends.push_back(static_cast<int32_t>(id));
  return ends;
}

void SpecialIds::require_below(int64_t size) const {
  const auto require = [&](const char* key, int64_t id, int64_t least) {
    if (id >= least && id < size) return;
    throw Error(rfs::format("tokenizer.{}: must be below the number of ids, {}, got {}", key, size, id));
  };
  require("begin", begin, -1);
  require("pad", pad, -1);
  for (const int64_t id : *more_ends) require("more_ends", id, 0);
}

}  // namespace rfs
