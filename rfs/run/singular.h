#pragma once

#include <filesystem>

#include "rfs/report/plan.h"

namespace rfs {

/// The singular values of the sinusoidal position matrix by length, simple extension beside RFS, in double precision:
/// figure and table in the plan's folder below `out`. Throws Error.
void write_singular(const Plan& plan, const std::filesystem::path& out);

}  // namespace rfs
