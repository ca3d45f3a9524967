#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "rfs/run/planned_runs.h"

namespace rfs {

/// Throws Error where a folder has files and neither runs nor figures of `rfs reproduce`.
void require_reproduction(const std::filesystem::path& folder);

/// Where the runs of a plan go.
struct ReproduceFolders {
  std::filesystem::path out;
  std::filesystem::path records = {};  ///< gets the small records of each run; none where it is empty
  bool drop_weights = false;           ///< remove a run's weights once all its tests are done
};

struct ReproduceOutcome {
  bool stopped = false;
  size_t held = 0;                    ///< runs that other processes hold
  std::vector<std::string> failures;  ///< "copy none 1: reason"
};

/// Trains and tests planned runs, whatever of that is missing. What is wrong with settings, data or machine is thrown
/// as an Error before anything starts; what happens to one run later does not stop the others.
ReproduceOutcome complete_runs(const std::vector<PlannedRun>& runs, const ReproduceFolders& folders,
                               const RunContext& context = {});

/// Where a drawn plan's files are.
struct DrawnPlan {
  std::filesystem::path table, page;
  std::filesystem::path figure;  ///< empty for a plan that is a table alone
};

/// Draws what the records in `out` give; nothing where there are none. Throws Error.
std::optional<DrawnPlan> draw_plan(const Plan& plan, const std::filesystem::path& experiments,
                                   const std::filesystem::path& out);

/// What is left to do for a run, in words, or who has it.
std::string state_text(const PlannedRun& run);
/// Seconds of training that are left, from the preset's measured rate.
double seconds_left(const Plan& plan, const PlannedRun& run);

}  // namespace rfs
