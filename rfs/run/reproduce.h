#pragma once

#include <filesystem>
#include <functional>
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

/// Chooses the next of the open runs, by its place among them; nothing ends the work.
using ChooseRun = std::function<std::optional<size_t>(const std::vector<PlannedRun>& open)>;

/// Trains and tests planned runs, in their order unless `choose` says otherwise; skips what is already done. Problems
/// with settings, data or machine throw an Error before anything starts. A failure of one run later does not stop the
/// others.
ReproduceOutcome complete_runs(const std::vector<PlannedRun>& runs, const ReproduceFolders& folders,
                               const RunContext& context = {}, const ChooseRun& choose = {});

/// The files of a drawn plan.
struct DrawnPlan {
  std::filesystem::path table, page;
  std::filesystem::path figure;   ///< empty if the plan has only a table
  std::filesystem::path summary;  ///< of an arena; empty for other plans
};

/// Draws the records in `out`; returns nothing if there are none. Throws Error.
std::optional<DrawnPlan> draw_plan(const Plan& plan, const std::filesystem::path& experiments,
                                   const std::filesystem::path& out);

/// What is left to do for a run, as text, or which process holds it.
std::string state_text(const PlannedRun& run);

}  // namespace rfs
