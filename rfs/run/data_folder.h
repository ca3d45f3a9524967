#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "rfs/run/data.h"
#include "rfs/run/events.h"

namespace rfs {

inline constexpr Split all_splits[] = {Split::train, Split::validation, Split::test};

struct SplitCounts {
  Split split = Split::train;
  int64_t samples = 0, tokens = 0, longest = 0;  ///< longest: tokens of a sample
};

/// Throws Error for a task of texts without samples.
void require_samples(const RunData& data);

/// Writes a task's splits into a new folder, as JSON lines and as ids that training maps. Throws Error, also where it
/// was stopped; then nothing is written.
std::vector<SplitCounts> make_data(const RunSettings& settings, const std::filesystem::path& out,
                                   const RunContext& context = {});

/// How samples without a split of their own are divided.
struct ImportOptions {
  int64_t train_up_to = 0;   ///< lengths up to this are trained, longer ones are the test; 0: each sample has a split
  int64_t validation = 100;  ///< trained-length samples kept for validation, at most half of them
};

struct ImportedData {
  std::vector<SplitCounts> splits = {};  ///< samples alone
  int64_t separated = 0;                 ///< samples that got a space between prompt and answer
};

/// Turns JSON lines (prompt, answer, length) into a new folder that the task `file` reads. Throws Error.
ImportedData import_data(const std::filesystem::path& file, const std::filesystem::path& out,
                         const ImportOptions& options);

}  // namespace rfs
