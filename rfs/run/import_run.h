#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "rfs/run/events.h"

namespace rfs {

/// Entries in the provenance of an imported run's train.json: the folder that it came from; and for a checkpoint of
/// another program, that neither the checkpoint nor the user chose a task.
inline constexpr const char* imported_from = "imported";
inline constexpr const char* imported_without_task = "imported_without_task";

/// A checkpoint to turn into a run.
struct ImportRequest {
  std::filesystem::path out;                  ///< the run's folder; must not exist yet
  std::filesystem::path folder;               ///< config.json and model.safetensors, or its index and shards
  std::vector<std::string> assignments = {};  ///< table.key=value for task, tokenizer, positions, train or eval
};

/// What import_run made.
struct ImportedModel {
  std::string family;  ///< "Llama"
  int64_t parameters = 0;
  std::string positions, tokenizer;  ///< the chosen ones
  int64_t trained_length = 0;        ///< n_tr
};

/// Creates a trained run from a checkpoint that `transformers` wrote. Throws Error.
ImportedModel import_run(const ImportRequest& request, const RunContext& context = {});

}  // namespace rfs
