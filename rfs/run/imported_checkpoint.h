#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "rfs/core/settings.h"
#include "rfs/interchange/hf.h"

namespace rfs {

/// A checkpoint of `transformers`, with the settings of a run of its model.
struct ImportedCheckpoint {
  Checkpoint checkpoint;
  Settings settings;
  int64_t trained_length = 0;  ///< n_tr
};

/// Reads a folder. If an assignment (table.key=value) chooses the positions or the tokenizer, the checkpoint does not.
/// Throws Error.
ImportedCheckpoint read_checkpoint(const std::filesystem::path& folder,
                                   const std::vector<std::string>& assignments = {});

}  // namespace rfs
