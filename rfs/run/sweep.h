#pragma once

#include <string>
#include <vector>

#include "rfs/core/settings.h"

namespace rfs {

/// One point of a sweep: its settings, and the chosen values as a name for its folder.
struct SweepPoint {
  Settings settings;
  std::string name;  ///< "random_float-1"; "" if nothing is swept
};

/// A list in place of a single value is a sweep. Returns all combinations, in the order of the file. If `use` is swept,
/// keys that belong to only some of the choices are dropped for the others. Throws Error.
std::vector<SweepPoint> expand(const Settings& settings);

}  // namespace rfs
