#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rfs/records/run.h"

namespace rfs {

/// The scores of a run on one task of the long-context suite: long-TASK.json.
struct LongRecord {
  /// One sample and what the model answered.
  struct Answer {
    int64_t tokens = 0;  ///< of the prompt
    std::vector<std::string> references;
    std::string given;
    double score = 0;
  };
  /// The samples of one length and depth.
  struct Cell {
    int64_t length = 0;  ///< in tokens, prompt and room for the answer
    int64_t depth = -1;  ///< where the answer stands, 0 to 100; -1: in no single place
    double score = 0;    ///< the mean
    /// The mean log-probability per token of the right answer; nothing for tasks without a depth.
    std::optional<double> log_likelihood = {};
    std::vector<Answer> answers = {};
  };
  std::string task;
  int64_t samples = 0;         ///< per cell
  int64_t seed = 0;            ///< of the samples
  int64_t trained_length = 0;  ///< n_tr of the model
  std::vector<Cell> cells;     ///< in order of length, then depth
  std::string settings;        ///< all settings of the run it was scored with, as TOML
  double seconds = 0;
  Provenance provenance;

  const Cell* find(int64_t length, int64_t depth) const;  ///< null if it was not measured
  void add(Cell cell);                                    ///< in order, instead of a cell of the same length and depth
};

/// Writes long-TASK.json atomically. Throws Error.
void write_long_record(const Run& run, const LongRecord& record);

/// The sorted names of the tasks that a run has scores for. Throws Error.
std::vector<std::string> long_tasks(const Run& run);
/// A run's record of one task. Throws Error.
LongRecord read_long_record(const Run& run, const std::string& task);

}  // namespace rfs
