#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiment.h"
#include "rfs/records/run.h"
#include "verbs.h"

namespace rfs {

/// Evaluates one trained run and writes eval.json, or eval-NAME.json where there is a name. Returns false when it was
/// stopped. Assignments may change how it is tested (eval.*, positions.*, task.test_*), not what was trained. `again`
/// evaluates even where a record of the same settings is there.
bool eval_run(const Run& run, const std::vector<std::string>& assignments, bool again, const std::string& title,
              const Program& program, const std::string& name = "");

/// Writes the report of some runs' evaluation of that name and prints its table and where it is.
void report_runs(const std::vector<std::filesystem::path>& folders, const std::filesystem::path& out,
                 const std::string& eval = "");

}  // namespace rfs
