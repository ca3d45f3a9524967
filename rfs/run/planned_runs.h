#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "rfs/report/plan.h"
#include "rfs/run/jobs.h"

namespace rfs {

/// One training run of a plan, with all its tests.
struct PlannedRun {
  std::string task, training;
  Job job;
  std::vector<Method> tests;
  size_t seed = 0;              ///< 0 for the first seed of the plan, 1 for the second, ...
  bool extra = false;           ///< needed by no figure or table of the paper
  double expected_seconds = 0;  ///< of training, from the preset's measured speed
};

/// Selects part of a plan; an empty list selects everything.
struct Narrowing {
  std::vector<std::string> methods, tasks;
  std::vector<int64_t> seeds;  ///< any seeds, not only those of the preset
};

/// The runs of a plan, below `out`, ordered by seed first: every run with the first seed comes before any run with the
/// second. Throws Error for names that the plan does not have.
std::vector<PlannedRun> planned_runs(const Plan& plan, const Narrowing& narrowing, const std::filesystem::path& out);

/// The runs of several plans, each once. Throws Error for names that no plan has.
std::vector<PlannedRun> planned_runs(const std::vector<Plan>& plans, const Narrowing& narrowing,
                                     const std::filesystem::path& out);

/// Part `part` of `parts` (counted from 1): every `parts`-th run.
std::vector<PlannedRun> shard(const std::vector<PlannedRun>& runs, int64_t part, int64_t parts);

enum class RunState {
  done,
  to_evaluate,  ///< trained, but some tests are missing
  to_resume,    ///< a checkpoint exists
  to_do,
  to_train_again,  ///< trained, but some tests and the weights are missing
};
RunState state_of(const PlannedRun& run);

/// Estimated seconds of training left, from the preset's measured speed.
double seconds_left(const PlannedRun& run);

/// The tests of a run that have no record, or a record with other settings while the weights still exist.
std::vector<Method> missing_tests(const PlannedRun& run);

/// Copies the small files of a run from below one folder to the same place below another: settings, records and about a
/// hundred lines of metrics.
void copy_records(const PlannedRun& run, const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace rfs
