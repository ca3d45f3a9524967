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

/// Which benchmarks to score runs on, and how.
struct ScoreRequest {
  std::vector<std::string> benchmarks;
  std::vector<std::string> assignments = {};  ///< for score.*, BENCHMARK.*, and the run's eval.* and positions.*
  std::filesystem::path data = {};  ///< folder of their files; if empty, `benchmarks` below RFS_DATA or `data`
  bool again = false;               ///< score even if a record with the same settings exists
};

/// A request with its options and documents loaded, for any number of runs.
class Scoring {
 public:
  /// Throws Error.
  explicit Scoring(const ScoreRequest& request);

  /// Scores one run, writes a record for each benchmark and returns the records. Returns nothing if it was stopped;
  /// records of finished benchmarks are kept. Throws Error.
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
  /// True if an old record has these settings, is of this run and of the benchmark's current file.
  bool is_current(const ScoreRecord& old, const ScoreRecord& fresh, const RunSettings& settings,
                  const Wanted& wanted) const;
  std::vector<ScoreRecord> score_all(const Run& run, const RunContext& context) const;

  ScoreOptions options_;
  std::vector<std::string> run_assignments_;  ///< for eval.* and positions.*
  std::vector<Wanted> wanted_;
  bool again_;
};

}  // namespace rfs
