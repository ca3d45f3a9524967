#include "rfs/run/campaign.h"

#include <algorithm>
#include <chrono>

#include "rfs/core/format.h"
#include "rfs/core/words.h"
#include "rfs/records/provenance.h"
#include "rfs/records/run.h"
#include "rfs/report/campaign.h"

namespace rfs {
namespace {

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Adds what a finished run took, with its tests, if this machine did it.
void add_time(TimeEstimates& times, const PlannedRun& planned) {
  const Run run(planned.job.folder);
  if (!run.trained()) return;
  static const std::string here = provenance("").at("machine");
  const auto record = run.train_record();
  if (const auto it = record.provenance.find("machine"); it == record.provenance.end() || it->second != here) return;
  double seconds = record.seconds;
  for (const auto& name : run.evaluations()) seconds += run.eval_record(name).seconds;
  times.add({planned.task, planned.training}, planned.expected_seconds, seconds);
}

}  // namespace

CampaignOutcome run_campaign(const std::vector<Plan>& plans, const std::vector<PlannedRun>& runs,
                             const ReproduceFolders& folders, const Budget& budget, const RunContext& context) {
  const auto now = budget.now ? budget.now : steady_seconds;
  const double begin = now();
  const auto left = [&] { return budget.seconds - (now() - begin); };
  std::vector<PlannedRun> open;
  TimeEstimates times;
  for (const PlannedRun& run : runs) {
    if (state_of(run) != RunState::done) {
      open.push_back(run);
      continue;
    }
    add_time(times, run);
    if (!folders.records.empty()) copy_records(run, folders.out, folders.records);
  }
  size_t started = 0;
  bool does_not_fit = false;
  const PlannedRun* last = nullptr;
  PlannedRun chosen;
  const auto choose = [&](const std::vector<PlannedRun>& candidates) -> std::optional<size_t> {
    if (last) add_time(times, *last);
    const bool ranks_lines =
        std::all_of(candidates.begin(), candidates.end(), [](const auto& run) { return run.seed > 0; });
    const auto overlap = ranks_lines ? overlaps(plans, folders.out) : std::map<PlanLine, double>();
    std::vector<Candidate> list;
    for (const PlannedRun& run : candidates) {
      const PlanLine line = {run.task, run.training};
      const auto found = overlap.find(line);
      const auto state = state_of(run);
      const bool begun = state == RunState::to_resume || state == RunState::to_evaluate;
      list.push_back({line, begun, run.seed, run.extra, found == overlap.end() ? -1 : found->second,
                      times.seconds(line, begun ? seconds_left(run) : run.expected_seconds)});
    }
    const auto next = next_candidate(list, left(), started);
    does_not_fit = !next;
    if (!next) {
      const auto best = std::min_element(list.begin(), list.end(), more_informative) - list.begin();
      context.events->note(
          "",
          rfs::format("the next run ({}) takes about {}; {} left", candidates[static_cast<size_t>(best)].job.title,
                      duration_text(list[static_cast<size_t>(best)].seconds), duration_text(std::max(0.0, left()))));
      return next;
    }
    ++started;
    chosen = candidates[*next];
    last = &chosen;
    return next;
  };
  RunContext limited = context;
  limited.stopped = [&] { return context.stopped() || left() <= 0; };
  CampaignOutcome outcome;
  static_cast<ReproduceOutcome&>(outcome) = complete_runs(open, folders, limited, choose);
  outcome.stopped = context.stopped();
  outcome.left = static_cast<size_t>(
      std::count_if(open.begin(), open.end(), [](const auto& run) { return state_of(run) != RunState::done; }));
  outcome.out_of_time = !outcome.stopped && outcome.left > 0 && (does_not_fit || left() <= 0);
  return outcome;
}

}  // namespace rfs
