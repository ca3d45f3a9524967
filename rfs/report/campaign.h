#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rfs/report/plan.h"

namespace rfs {

/// The runs of one method on one task, for all seeds: task and training.
using PlanLine = std::pair<std::string, std::string>;

/// A run that a campaign can do next, and what decides its turn.
struct Candidate {
  PlanLine line;
  bool begun = false;  ///< partly trained, or trained and not fully tested
  size_t seed = 0;     ///< 0 for the first seed of the plan, 1 for the second, ...
  bool extra = false;  ///< needed by no figure or table of the paper
  double overlap = 0;  ///< of its line, from `overlaps`
  double seconds = 0;  ///< estimated time that it still takes
};

/// The rule of a campaign: runs that were begun come first, then first seeds before second seeds, then figures of the
/// paper before extras. From the second seed on, the lines follow whose results overlap most with another line's. Among
/// equals, the shortest run comes first.
bool more_informative(const Candidate& a, const Candidate& b);

/// The candidate to run next; nothing if there is none, or if it does not fit into the rest of the budget. The first
/// run of a call (`started` is 0) begins even if it does not fit, so that runs longer than a budget are completed in
/// parts.
std::optional<size_t> next_candidate(const std::vector<Candidate>& candidates, double seconds_left, size_t started);

/// By line: how much the interval of its mean on untrained lengths overlaps with that of the closest other line of its
/// task, in exact match. A negative number is the distance to it. Lines without records or without another line are
/// left out.
std::map<PlanLine, double> overlaps(const std::vector<Plan>& plans, const std::filesystem::path& out);

/// Estimates the time of runs: from the preset's measured step time, corrected by what this campaign's finished runs
/// took. The correction is that of the same line, else that of the same training, else that of all runs, else none.
class TimeEstimates {
 public:
  /// A finished run took `actual` seconds where the preset says `expected`.
  void add(const PlanLine& line, double expected, double actual);
  double seconds(const PlanLine& line, double expected) const;

 private:
  struct Sum {
    double expected = 0, actual = 0;
  };
  Sum all_;
  std::map<std::string, Sum> trainings_;
  std::map<PlanLine, Sum> lines_;
};

}  // namespace rfs
