#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rfs/core/random.h"
#include "rfs/records/long_record.h"
#include "rfs/run/events.h"

namespace rfs {

class LongTask;
class TextModel;
struct LongRow;

/// What to score runs on in the long-context suite.
struct LongRequest {
  std::vector<std::string> tasks;             ///< of the registry `long_task`; empty: all
  std::vector<int64_t> lengths;               ///< in tokens of the run's tokenizer, prompt and room for the answer
  int64_t samples = 20;                       ///< per length and depth
  int64_t seed = 1;                           ///< of the samples
  std::vector<std::string> assignments = {};  ///< for eval.*, positions.* and options of the encoding
  bool again = false;                         ///< score even lengths and depths that a record has
};

/// Scores language models on texts of chosen lengths that the program makes (docs/long-context.md).
class LongScoring {
 public:
  /// Throws Error.
  explicit LongScoring(LongRequest request);
  ~LongScoring();

  /// Scores one run, adds to its record of each task and returns the records. Returns nothing if it was stopped;
  /// finished lengths and depths are kept. Throws Error.
  std::optional<std::vector<LongRecord>> score(const Run& run, const RunContext& context = {}) const;

 private:
  struct Wanted {
    std::string name;
    std::unique_ptr<LongTask> task;
    std::vector<int64_t> depths;  ///< {-1} for a task without a depth
  };
  LongRecord::Cell score_cell(const TextModel& model, const Wanted& wanted, int64_t length, int64_t depth,
                              const std::function<void(double share)>& progress) const;
  Stream stream(const Wanted& wanted, int64_t length, int64_t depth, int64_t number) const;  ///< of one sample
  /// Throws an Error that names length and task.
  LongRow row(const TextModel& model, const Wanted& wanted, int64_t length, int64_t depth, int64_t number) const;
  LongRecord begun(const Run& run, const TextModel& model, const std::string& task) const;
  void require_possible(const Run& run, const TextModel& model) const;
  std::vector<LongRecord> score_all(const Run& run, const RunContext& context) const;

  LongRequest request_;
  std::vector<Wanted> wanted_;
};

}  // namespace rfs
