#pragma once

#include <string>
#include <vector>

#include "rfs/core/settings.h"

namespace rfs {

/// One point of a sweep: its settings and, for naming its folder, the values that were chosen.
struct SweepPoint {
  Settings settings;
  std::string name;  ///< "random_float-1"; "" where nothing is swept
};

/// A list where one value is expected is a sweep: the points are all combinations, in the order of the file. Where
/// `use` is swept, a key that one of the choices knows is dropped for those that do not. Throws Error.
std::vector<SweepPoint> expand(const Settings& settings);

}  // namespace rfs
