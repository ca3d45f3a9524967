#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "progress.h"
#include "rfs/run/events.h"
#include "stop.h"

namespace rfs {

/// Shows the events of runs on standard error.
class RunDisplay : public RunEvents {
 public:
  void note(const std::string& title, const std::string& text) override;

  void training_begins(const std::string& title, const std::vector<std::string>& jobs) override;
  void training_progress(size_t job, const Progress& progress) override;
  void job_ended(size_t job, const std::string& text) override;
  void training_over() override;

  void measuring_begins(Measurement kind, const std::string& title) override;
  void measuring_progress(const std::string& what, int64_t done, int64_t all) override;
  void measured(const std::string& text) override;
  void measuring_over() override;

 private:
  std::optional<StopsItself> saving_;     // during training, so that a checkpoint is written before the process ends
  std::optional<ProgressLine> line_;      // for one run
  std::optional<SharedProgress> shared_;  // for runs that train at the same time
  std::vector<std::string> jobs_;
  Measurement kind_ = Measurement::evaluation;
  std::string what_;  // what is measured since begin_
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace rfs
