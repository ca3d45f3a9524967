#pragma once

#include <filesystem>

#include "rfs/report/plan.h"

namespace rfs {

/// Computes the singular values of the sinusoidal position matrix by length in double precision, for simple extension
/// and RFS. Writes a figure and a table to the plan's folder below `out`. Throws Error.
void write_singular(const Plan& plan, const std::filesystem::path& out);

}  // namespace rfs
