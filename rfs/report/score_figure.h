#pragma once

#include <filesystem>

#include "rfs/report/scores.h"

namespace rfs {

/// Draws a table of scores as bars with standard errors: one panel for ID and one for OOD, one group per benchmark.
/// Writes scores.svg and scores.png into `folder`, with scores.gp and scores.dat next to them. Throws Error if gnuplot
/// is missing or fails.
void draw_scores(const ScoreTable& table, const std::filesystem::path& folder);

}  // namespace rfs
