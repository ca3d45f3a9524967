#pragma once

#include <filesystem>
#include <functional>
#include <limits>
#include <vector>

#include "rfs/run/reproduce.h"

namespace rfs {

/// How long a campaign may run, on a clock that tests can replace.
struct Budget {
  double seconds = std::numeric_limits<double>::infinity();
  std::function<double()> now = {};  ///< seconds since any moment; a steady clock if empty
};

struct CampaignOutcome : ReproduceOutcome {
  size_t left = 0;           ///< runs that are not done yet
  bool out_of_time = false;  ///< the budget ended the work
};

/// Completes the runs of some plans, the most informative ones first (rfs/report/campaign.h), until all are done or
/// the budget is spent. A run in progress at the end of the budget is stopped with a checkpoint, and the next call
/// resumes it. Throws Error as complete_runs does.
CampaignOutcome run_campaign(const std::vector<Plan>& plans, const std::vector<PlannedRun>& runs,
                             const ReproduceFolders& folders, const Budget& budget, const RunContext& context = {});

}  // namespace rfs
