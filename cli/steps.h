#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiment.h"
#include "rfs/core/run.h"
#include "verbs.h"

namespace rfs {

/// Looks for everything that can be wrong with a run's settings before any run of a sweep starts or anything is
/// written: data, positions of the longest rows, memory, another run in the folder. Throws Error.
void check_run(const std::filesystem::path& folder, const Experiment& experiment);

/// Trains one checked run into `folder`, or says that it is done already. Returns false when it was stopped.
bool train_run(const std::filesystem::path& folder, const Experiment& experiment, const std::string& title,
               const Program& program);

/// Evaluates one trained run and writes eval.json. Returns false when it was stopped. Assignments may change how it is
/// tested (eval.*, positions.*, task.test_*), not what was trained. `again` evaluates even where a record of the same
/// settings is there.
bool eval_run(const Run& run, const std::vector<std::string>& assignments, bool again, const std::string& title,
              const Program& program);

/// Writes the report of some runs and prints its table and where it is.
void report_runs(const std::vector<std::filesystem::path>& folders, const std::filesystem::path& out);

}  // namespace rfs
