#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "rfs/run/data.h"
#include "rfs/run/events.h"

namespace rfs {

inline constexpr Split all_splits[] = {Split::train, Split::validation, Split::test};

/// The size of one split.
struct SplitCounts {
  Split split = Split::train;
  int64_t samples = 0, tokens = 0, longest = 0;  ///< longest: tokens of the longest sample
};

/// Throws Error for a task without samples, such as a corpus.
void require_samples(const RunData& data);

/// Writes a task's splits into a new folder, as JSON lines and as ids that training maps. Throws Error, also if it was
/// stopped; then nothing is written.
std::vector<SplitCounts> make_data(const RunSettings& settings, const std::filesystem::path& out,
                                   const RunContext& context = {});

/// How to divide samples that name no split.
struct ImportOptions {
  int64_t train_up_to = 0;  ///< longest training length; longer samples are for testing; 0: each sample names its split
  int64_t validation = 100;  ///< training samples to hold out for validation, at most half of them
};

/// What import_data wrote.
struct ImportedData {
  std::vector<SplitCounts> splits = {};  ///< only sample counts
  int64_t separated = 0;                 ///< samples that got a space between prompt and answer
  int64_t counted = 0;                   ///< samples whose length is the number of words of their prompt
};

/// Converts JSON lines (prompt, answer and, if wanted, length) to a new folder that the task `file` reads. Throws
/// Error.
ImportedData import_data(const std::filesystem::path& file, const std::filesystem::path& out,
                         const ImportOptions& options);

}  // namespace rfs
