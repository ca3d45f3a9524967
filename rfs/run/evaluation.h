#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rfs/records/run.h"
#include "rfs/run/events.h"

namespace rfs {

/// How a run is to be evaluated.
struct EvalRequest {
  /// table.key=value over the run's own settings. They may change how it is tested (eval.*, positions.*, task.test_*),
  /// not what was trained.
  std::vector<std::string> assignments = {};
  std::string name = {};   ///< of the record: eval-NAME.json; eval.json where it is empty
  bool again = false;      ///< also where a record of the same settings is there
  std::string title = {};  ///< what its lines begin with; the run's name where it is empty
};

struct EvalOutcome {
  enum class Status { evaluated, already_evaluated, stopped };
  Status status = Status::stopped;
  std::optional<EvalRecord> record = {};  ///< nothing where it was stopped

  bool stopped() const { return status == Status::stopped; }
};

/// Evaluates a trained run and writes the record, unless one of the same settings and data is there. Stopped, it writes
/// nothing. Throws Error.
EvalOutcome evaluate_run(const Run& run, const EvalRequest& request = {}, const RunContext& context = {});

}  // namespace rfs
