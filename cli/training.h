#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiment.h"
#include "rfs/records/run.h"
#include "verbs.h"

namespace rfs {

/// A run to be trained.
struct Job {
  std::filesystem::path folder;
  Experiment experiment;
  std::string title;  ///< what its lines begin with
};

/// Looks for everything that can be wrong with the jobs before any of them starts or anything is written: settings,
/// data, positions of the longest rows, device, memory, another run in the folder, batches that the ranks can share.
/// Throws Error.
void check_jobs(const std::vector<Job>& jobs, const Program& program);

/// Trains checked jobs, or says that they are done already: one after the other, or all side by side, each in a thread
/// of its own and to the same bits as alone. With several ranks the first one speaks and writes. Returns false when
/// they were stopped. Throws Error where one failed; side by side the others go on to their ends first.
bool train_jobs(const std::vector<Job>& jobs, bool together, const Program& program);

/// How many threads compute here and with which instructions, in words.
std::string processor_text();

/// What a record says of the libraries that made it.
Provenance libraries();

}  // namespace rfs
