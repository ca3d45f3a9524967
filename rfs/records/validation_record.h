#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "rfs/records/eval_record.h"

namespace rfs {

/// Validation during training, by length: one line of a run's validation.jsonl.
struct ValidationRecord {
  int64_t step = 0;
  std::vector<EvalRecord::Length> lengths;  ///< without `decoded`
};

/// The name of that file.
constexpr const char* validation_file = "validation.jsonl";

/// Appends a line to a run's file. Throws Error.
void add_validation(const std::filesystem::path& run_folder, const ValidationRecord& record);
/// The complete lines of a run's file, by step; none if there is no file.
std::vector<ValidationRecord> read_validation(const std::filesystem::path& run_folder);
/// Removes lines of later steps; a resumed run writes them again.
void keep_validation(const std::filesystem::path& run_folder, int64_t steps);

}  // namespace rfs
