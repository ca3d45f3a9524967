#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "rfs/run/planned_runs.h"

namespace rfs {

/// Throws Error if a folder has files, but neither runs nor figures of `rfs reproduce`.
void require_reproduction(const std::filesystem::path& folder);

/// Where the runs of a plan are stored.
struct ReproduceFolders {
  std::filesystem::path out;
  std::filesystem::path records = {};  ///< gets a copy of each run's small records; nothing is copied if empty
  bool drop_weights = false;           ///< remove a run's weights when all its tests are done
};

struct ReproduceOutcome {
  bool stopped = false;
  size_t held = 0;                    ///< runs locked by other processes
  std::vector<std::string> failures;  ///< "copy none 1: reason"
};

/// Trains and tests planned runs; skips what is already done. Problems with settings, data or machine throw an Error
/// before anything starts. A failure of one run later does not stop the others.
ReproduceOutcome complete_runs(const std::vector<PlannedRun>& runs, const ReproduceFolders& folders,
                               const RunContext& context = {});

/// The files of a drawn plan.
struct DrawnPlan {
  std::filesystem::path table, page;
  std::filesystem::path figure;  ///< empty if the plan has only a table
};

/// Draws the records in `out`; returns nothing if there are none. Throws Error.
std::optional<DrawnPlan> draw_plan(const Plan& plan, const std::filesystem::path& experiments,
                                   const std::filesystem::path& out);

/// What is left to do for a run, as text, or which process holds it.
std::string state_text(const PlannedRun& run);
/// Estimated seconds of training left, from the preset's measured speed.
double seconds_left(const Plan& plan, const PlannedRun& run);

}  // namespace rfs
