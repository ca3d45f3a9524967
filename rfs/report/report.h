#pragma once

#include <filesystem>
#include <vector>

#include "rfs/report/series.h"

namespace rfs {

/// Writes the report of some runs into `folder`: accuracy.{svg,png,gp,dat}, loss.{svg,png,gp,dat}, table.md,
/// index.html, errors.{svg,png,gp,dat} if answers were decoded, and depth.{svg,png,gp,dat} if they have a depth. Throws
/// Error.
void write_report(const std::vector<Series>& series, const std::filesystem::path& folder);

}  // namespace rfs
