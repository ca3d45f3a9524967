#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "rfs/train/progress.h"
#include "rfs/train/ranks.h"

namespace rfs {

/// What can be measured on a trained run.
enum class Measurement { evaluation, scoring, comparison };

/// How the library reports what it does with runs; it never prints by itself. Every method does nothing unless
/// overridden. All texts are ready to print.
class RunEvents {
 public:
  virtual ~RunEvents() = default;

  /// Information about a run: that it is already trained, where it trains, why it is skipped. The title may be "".
  virtual void note(const std::string& /*title*/, const std::string& /*text*/) {}

  /// Jobs start to train, in parallel if there are several. Until `training_over`, the process has something to save
  /// when it is asked to stop.
  virtual void training_begins(const std::string& /*title*/, const std::vector<std::string>& /*jobs*/) {}
  /// Called from the job's thread, after every few updates.
  virtual void training_progress(size_t /*job*/, const Progress& /*progress*/) {}
  /// Called from the job's thread: the job is trained, was stopped or failed.
  virtual void job_ended(size_t /*job*/, const std::string& /*text*/) {}
  /// All jobs have ended, also if an exception was thrown.
  virtual void training_over() {}

  /// A measurement of one run starts.
  virtual void measuring_begins(Measurement /*kind*/, const std::string& /*title*/) {}
  /// `done` of `all` tokens of the benchmark `what` (scoring), tokens (comparison) or `what` (evaluation).
  virtual void measuring_progress(const std::string& /*what*/, int64_t /*done*/, int64_t /*all*/) {}
  /// The result, or that it was stopped. For scoring, called once per benchmark.
  virtual void measured(const std::string& /*text*/) {}
  /// The measurement has ended, also if an exception was thrown.
  virtual void measuring_over() {}

  /// Reports nothing.
  static RunEvents& silent() {
    static RunEvents events;
    return events;
  }
};

class DataCache;
/// A new, empty cache.
std::shared_ptr<DataCache> make_data_cache();

/// What the functions in this folder need to know about their caller.
struct RunContext {
  std::string command = {};                              ///< the program's command line, for records
  std::function<bool()> stopped = [] { return false; };  ///< polled often; true ends the work at the next safe point
  const Ranks* ranks = &Ranks::alone();                  ///< the processes that train a run together
  RunEvents* events = &RunEvents::silent();
  std::shared_ptr<DataCache> data = make_data_cache();  ///< cached data of the current run
};

}  // namespace rfs
