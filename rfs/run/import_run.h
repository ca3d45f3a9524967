#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "rfs/run/events.h"

namespace rfs {

/// A GPT-NeoX checkpoint that is to become a run.
struct ImportRequest {
  std::filesystem::path out;                  ///< the run's folder; must not exist yet
  std::filesystem::path folder;               ///< config.json and model.safetensors, or its index and shards
  std::vector<std::string> assignments = {};  ///< table.key=value of task, tokenizer, positions, train or eval
};

struct ImportedModel {
  int64_t parameters = 0;
  std::string positions, tokenizer;  ///< what was chosen for it
  int64_t trained_length = 0;        ///< n_tr
};

/// Makes a trained run of a checkpoint that `transformers` wrote. Throws Error.
ImportedModel import_run(const ImportRequest& request, const RunContext& context = {});

}  // namespace rfs
