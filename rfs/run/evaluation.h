#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rfs/core/settings.h"
#include "rfs/records/run.h"
#include "rfs/run/events.h"

namespace rfs {

/// How to evaluate a run.
struct EvalRequest {
  /// table.key=value on top of the run's settings. They may change how it is tested (eval.*, positions.*, task.test_*),
  /// but not what was trained. For an imported run they may choose another task.
  std::vector<std::string> assignments = {};
  std::string name = {};   ///< of the record: eval-NAME.json; eval.json if empty
  bool again = false;      ///< evaluate even if a record with the same settings exists
  std::string title = {};  ///< prefix of its output lines; the run's name if empty
  Settings settings = {};  ///< more changes, of the same kinds, with their places in a file; assignments override them
};

/// What evaluate_run did.
struct EvalOutcome {
  /// How an evaluation ended.
  enum class Status { evaluated, already_evaluated, stopped };
  Status status = Status::stopped;
  std::optional<EvalRecord> record = {};  ///< empty if it was stopped

  bool stopped() const { return status == Status::stopped; }  ///< true if the caller stopped it
};

/// Evaluates a trained run and writes the record, unless a record with the same settings and data exists. If stopped,
/// it writes nothing. Throws Error.
EvalOutcome evaluate_run(const Run& run, const EvalRequest& request = {}, const RunContext& context = {});

}  // namespace rfs
