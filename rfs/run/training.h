#pragma once

#include <string>
#include <vector>

#include "rfs/run/jobs.h"

namespace rfs {

/// Trains checked jobs, or notes that they are done already: one after the other, or all side by side (`together`),
/// each in a thread of its own and to the same bits as alone. With several ranks the first one tells and writes.
/// Returns false when they were stopped. Throws Error where one failed; side by side the others go on to their ends
/// first.
bool train_jobs(const std::vector<Job>& jobs, bool together = false, const RunContext& context = {});

/// A measurement on validation data in words: "97.5 %", or "loss 1.2345".
std::string validation_text(double value, bool is_loss);

}  // namespace rfs
