#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "rfs/run/events.h"
#include "rfs/run/settings.h"

namespace rfs {

/// A run to train.
struct Job {
  std::filesystem::path folder;
  RunSettings settings;
  std::string title;  ///< prefix of its output lines
};

/// Checks the jobs before any of them starts and before anything is written: settings, data, positions of the longest
/// rows, device, memory, other runs in the folders, batches that the ranks can share. Throws Error.
void check_jobs(const std::vector<Job>& jobs, const RunContext& context = {});

/// Throws AgreedError if the ranks differ in something that would make their weights diverge: settings, version,
/// threads.
void require_same_ranks(const std::vector<Job>& jobs, const Ranks& ranks);

}  // namespace rfs
