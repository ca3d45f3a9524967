#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiment.h"
#include "rfs/core/run.h"
#include "verbs.h"

namespace rfs {

/// Trains one run into `folder`, or says that it is done already. Returns false when it was stopped.
bool train_run(const std::filesystem::path& folder, const Experiment& experiment, const std::string& title,
               const Program& program);

/// Evaluates one trained run, with changes to its [eval] table, and writes eval.json. Returns false when it was stopped.
/// `again` evaluates even where a record of the same settings is there.
bool eval_run(const Run& run, const std::vector<std::string>& assignments, bool again, const std::string& title,
              const Program& program);

/// Writes the report of some runs and prints its table and where it is.
void report_runs(const std::vector<std::filesystem::path>& folders, const std::filesystem::path& out);

}  // namespace rfs
