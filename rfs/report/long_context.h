#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "rfs/records/long_record.h"
#include "rfs/report/heat_map.h"

namespace rfs {

/// A run's records of the long-context suite.
struct LongScores {
  std::string name;
  std::vector<LongRecord> records;  ///< one per task
};

/// The records of the runs at or below some folders; runs without one are left out. Throws Error.
std::vector<LongScores> read_long_scores(const std::vector<std::filesystem::path>& folders);

/// Scores by length (columns) and by task and depth (rows).
HeatMap long_map(const std::vector<LongScores>& scores);

/// The same numbers as aligned Markdown, and the log-likelihoods of the right answers.
std::string long_table(const std::vector<LongScores>& scores);

/// Writes long.{svg,png,pdf,gp,dat}, long.md and index.html into `folder`. Throws Error.
void write_long_report(const std::vector<LongScores>& scores, const std::filesystem::path& folder);

}  // namespace rfs
