#pragma once

#include <filesystem>
#include <vector>

#include "rfs/report/heat_map.h"
#include "rfs/report/series.h"

namespace rfs {

/// Exact match by length and by where in the prompt the answer stands. All trained lengths are one column. No rows if
/// the task's answers stand in no single place.
HeatMap depth_map(const std::vector<Series>& series);

/// Draws depth_map as `depth` in `folder` (heat_map.h); an empty map is not drawn.
void draw_depths(const std::vector<Series>& series, const std::filesystem::path& folder);

/// "depth 25 %"
std::string depth_text(int64_t depth);

}  // namespace rfs
