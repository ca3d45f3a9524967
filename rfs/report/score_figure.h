#pragma once

#include <filesystem>

#include "rfs/report/scores.h"

namespace rfs {

/// Draws a table of scores as bars, a panel for ID and one for OOD, a group a benchmark, with standard errors:
/// scores.svg and scores.png in `folder`, with scores.gp and scores.dat beside them. Throws Error where gnuplot is
/// missing or fails.
void draw_scores(const ScoreTable& table, const std::filesystem::path& folder);

}  // namespace rfs
