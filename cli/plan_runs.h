#pragma once

#include <string>
#include <vector>

#include "command.h"
#include "rfs/run/planned_runs.h"

namespace rfs {

/// What `rfs reproduce` and `rfs arena` have in common.
struct PlanArguments {
  std::string preset, out, records, shard;
  Narrowing narrowing;
  int64_t steps = 0;
  double minutes = 0;  ///< 0 if not given
  bool dry_run = false, draw = false, drop_weights = false;
};

void add_plan_options(Command& verb, PlanArguments& arguments);

/// Runs and draws plans as the arguments say; returns the exit code. With `campaign` or a time budget, the most
/// informative runs come first. Throws Error.
int run_plans(const std::vector<Plan>& plans, const PlanArguments& arguments, bool campaign, const RunContext& context);

}  // namespace rfs
