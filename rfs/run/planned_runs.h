#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "rfs/report/plan.h"
#include "rfs/run/jobs.h"

namespace rfs {

/// One training of a plan, with all tests of it that are known.
struct PlannedRun {
  std::string task, training;
  Job job;
  std::vector<Method> tests;
};

/// What of a plan is wanted; an empty list means all.
struct Narrowing {
  std::vector<std::string> methods, tasks;
  std::vector<int64_t> seeds;  ///< any, also others than the preset's
};

/// The runs of a plan, below `out`, seeds outermost: the first seed of everything is done before the second one of
/// anything. Throws Error for names that the plan does not have.
std::vector<PlannedRun> planned_runs(const Plan& plan, const Narrowing& narrowing, const std::filesystem::path& out);

/// The part i of n (1 to n) of a sweep: every n-th run.
std::vector<PlannedRun> shard(const std::vector<PlannedRun>& runs, int64_t part, int64_t parts);

enum class RunState {
  done,
  to_evaluate,  ///< trained, but tests are missing
  to_resume,    ///< there is a checkpoint
  to_do,
  to_train_again,  ///< trained, tests are missing and so are the weights
};
RunState state_of(const PlannedRun& run);

/// The run's own and further evaluations that have no record, or one of other settings while there are weights.
std::vector<Method> missing_tests(const PlannedRun& run);

/// Copies the small files of a run from below one folder to the same place below another: settings, records and at most
/// about a hundred lines of metrics.
void copy_records(const PlannedRun& run, const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace rfs
