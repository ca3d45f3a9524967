#pragma once

#include <string>
#include <vector>

#include "rfs/run/jobs.h"

namespace rfs {

/// Trains checked jobs and reports those that are already done. Runs them one after the other, or in parallel
/// (`together`), each in its own thread; the results are bit-identical either way. With several ranks, rank 0 reports
/// and writes. Returns false if the jobs were stopped. Throws Error if one failed; parallel jobs first run to their
/// end.
bool train_jobs(const std::vector<Job>& jobs, bool together = false, const RunContext& context = {});

/// A validation result as text: "97.5 %", or "loss 1.2345".
std::string validation_text(double value, bool is_loss);

}  // namespace rfs
