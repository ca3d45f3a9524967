#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "rfs/run/events.h"
#include "rfs/run/settings.h"

namespace rfs {

/// A run to be trained.
struct Job {
  std::filesystem::path folder;
  RunSettings settings;
  std::string title;  ///< what its lines begin with
};

/// Looks for everything that can be wrong with the jobs before any of them starts or anything is written: settings,
/// data, positions of the longest rows, device, memory, another run in the folder, batches that the ranks can share.
/// Throws Error.
void check_jobs(const std::vector<Job>& jobs, const RunContext& context = {});

/// Throws AgreedError where the ranks differ in something that would let their weights drift apart: settings, version,
/// threads.
void require_same_ranks(const std::vector<Job>& jobs, const Ranks& ranks);

}  // namespace rfs
