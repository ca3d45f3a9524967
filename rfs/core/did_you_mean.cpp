#include "rfs/core/did_you_mean.h"

#include <algorithm>

#include "rfs/core/edit_distance.h"
#include "rfs/core/format.h"

namespace rfs {

std::string did_you_mean(std::string_view given, std::span<const std::string> known) {
  constexpr size_t longest_name = 80;
  if (given.size() > longest_name) return "";
  std::string hint;
  size_t nearest = std::max<size_t>(2, given.size() / 3) + 1;
  for (const auto& name : known) {
    if (const size_t distance = edit_distance<char>(given, name); distance < nearest) {
      nearest = distance;
      hint = rfs::format(" (did you mean '{}'?)", name);
    }
  }
  return hint;
}

}  // namespace rfs
