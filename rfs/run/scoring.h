#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rfs/benchmarks/benchmark.h"
#include "rfs/eval/score_options.h"
#include "rfs/records/scores.h"
#include "rfs/run/events.h"

namespace rfs {

struct RunSettings;

/// What runs are to be scored on.
struct ScoreRequest {
  std::vector<std::string> benchmarks;
  std::vector<std::string> assignments = {};  ///< of score.*, BENCHMARK.*, and the run's eval.* and positions.*
  std::filesystem::path data = {};  ///< folder of their files; `benchmarks` below RFS_DATA or `data` where it is empty
  bool again = false;               ///< also where a record of the same settings is there
};

/// A request with its options and documents read, for any number of runs.
class Scoring {
 public:
  /// Throws Error.
  explicit Scoring(const ScoreRequest& request);

  /// Scores one run and writes a record for each benchmark; returns them. Nothing when it was stopped; the benchmarks
  /// that were done are kept. Throws Error.
  std::optional<std::vector<ScoreRecord>> score(const Run& run, const RunContext& context = {}) const;

 private:
  struct Wanted {
    std::string name;
    std::shared_ptr<Options> options;
    int64_t context_size = 0;  ///< 0: the median
    std::unique_ptr<Benchmark> benchmark;
    std::filesystem::path file;
    std::vector<Document> documents;
  };
  /// Whether a record is of these settings, of this run and of the benchmark's file as it is.
  bool is_current(const ScoreRecord& old, const ScoreRecord& fresh, const RunSettings& settings,
                  const Wanted& wanted) const;
  std::vector<ScoreRecord> score_all(const Run& run, const RunContext& context) const;

  ScoreOptions options_;
  std::vector<std::string> run_assignments_;  ///< to eval.* and positions.*
  std::vector<Wanted> wanted_;
  bool again_;
};

}  // namespace rfs
