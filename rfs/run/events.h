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

/// What is measured on a trained run.
enum class Measurement { evaluation, scoring, comparison };

/// How the library tells what it does with runs; the library itself never prints. Every method does nothing unless it
/// is overridden. Texts are ready to be shown.
class RunEvents {
 public:
  virtual ~RunEvents() = default;

  /// Something to know about a run: that it is trained already, where it trains, why it is skipped. The title may be
  /// "".
  virtual void note(const std::string& /*title*/, const std::string& /*text*/) {}

  /// Jobs begin to train, at the same time if there are several. Until `training_over` the process has something to
  /// save if it is asked to stop.
  virtual void training_begins(const std::string& /*title*/, const std::vector<std::string>& /*jobs*/) {}
  /// From the job's own thread, after every few updates.
  virtual void training_progress(size_t /*job*/, const Progress& /*progress*/) {}
  /// From the job's own thread: it is trained, was stopped or failed.
  virtual void job_ended(size_t /*job*/, const std::string& /*text*/) {}
  /// All of them have ended, by an exception too.
  virtual void training_over() {}

  virtual void measuring_begins(Measurement /*kind*/, const std::string& /*title*/) {}
  /// `done` of `all` tokens of the benchmark `what` (scoring), tokens (comparison) or `what` (evaluation).
  virtual void measuring_progress(const std::string& /*what*/, int64_t /*done*/, int64_t /*all*/) {}
  /// What came out, or that it was stopped; of scoring, once for each benchmark.
  virtual void measured(const std::string& /*text*/) {}
  /// By an exception too.
  virtual void measuring_over() {}

  /// Tells nobody.
  static RunEvents& silent() {
    static RunEvents events;
    return events;
  }
};

class DataCache;
std::shared_ptr<DataCache> make_data_cache();

/// What the functions of this folder need to know about their caller.
struct RunContext {
  std::string command = {};                              ///< how the program was called, for records
  std::function<bool()> stopped = [] { return false; };  ///< asked often; true ends the work at the next safe point
  const Ranks* ranks = &Ranks::alone();                  ///< the processes that train runs together
  RunEvents* events = &RunEvents::silent();
  std::shared_ptr<DataCache> data = make_data_cache();  ///< data of the run that is worked on
};

}  // namespace rfs
