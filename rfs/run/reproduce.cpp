#include "rfs/run/reproduce.h"

#include <regex>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/core/temporary.h"
#include "rfs/records/run.h"
#include "rfs/report/result.h"
#include "rfs/report/results_page.h"
#include "rfs/run/evaluation.h"
#include "rfs/run/lock.h"
#include "rfs/run/singular.h"
#include "rfs/run/training.h"

namespace rfs {
namespace fs = std::filesystem;
namespace {

/// Trains and tests one run. Returns false if it was stopped. Throws Error if it fails.
bool complete(const PlannedRun& planned, const ReproduceFolders& folders, const RunContext& context) {
  const Run run(planned.job.folder);
  const auto state = state_of(planned);
  if (state == RunState::done) {
    context.events->note(planned.job.title, "already done");
  } else {
    if (state == RunState::to_train_again) {
      context.events->note(planned.job.title, "tests are missing and the weights were removed; training again");
      fs::remove(run.file("train.json"));
    }
    if (run.exists()) check_jobs({planned.job}, context);  // new runs were checked before anything started
    if (!train_jobs({planned.job}, false, context)) return false;
    for (const Method& test : missing_tests(planned)) {
      EvalRequest request{test.assignments, test.record};
      request.title = planned.job.title + (test.record.empty() ? "" : " " + test.record);
      if (evaluate_run(run, request, context).stopped()) return false;
    }
  }
  if (folders.drop_weights) fs::remove(run.file("model.safetensors"));
  if (!folders.records.empty()) copy_records(planned, folders.out, folders.records);
  return true;
}

}  // namespace

void require_reproduction(const fs::path& folder) {
  const std::string entry = first_entry(folder);
  if (entry.empty()) return;
  std::error_code ignored;
  static const std::regex of_a_preset("[a-z0-9_]+-[0-9]+");
  for (const auto& one : fs::directory_iterator(folder / "runs", ignored)) {
    if (std::regex_match(one.path().filename().string(), of_a_preset)) return;
  }
  for (const auto& one : fs::directory_iterator(folder, ignored)) {
    if (fs::exists(one.path() / "settings.toml", ignored)) return;
  }
  throw Error(rfs::format("{}: holds '{}' and no runs of rfs reproduce; choose a new or empty folder", folder.string(),
                          shortened(entry)));
}

ReproduceOutcome complete_runs(const std::vector<PlannedRun>& runs, const ReproduceFolders& folders,
                               const RunContext& context, const ChooseRun& choose) {
  std::vector<Job> fresh;
  for (const auto& run : runs) {
    if (!Run(run.job.folder).exists()) fresh.push_back(run.job);
  }
  check_jobs(fresh, context);
  for (const fs::path& folder : {folders.out, folders.records}) {
    if (!folder.empty()) require_writable(folder);
  }
  ReproduceOutcome outcome;
  std::vector<PlannedRun> open = runs;
  for (size_t started = 1; !open.empty() && !context.stopped(); ++started) {
    const std::optional<size_t> next = choose ? choose(open) : 0;
    if (!next) break;
    PlannedRun run = std::move(open[*next]);
    open.erase(open.begin() + static_cast<std::ptrdiff_t>(*next));
    const std::string title = run.job.title;
    run.job.title = rfs::format("[{}/{}] {}", started, runs.size(), title);
    try {
      const RunLock lock(run.job.folder);
      if (!lock.held()) {
        context.events->note(run.job.title, "skipped: another process holds it (" + lock.owner() + ")");
        ++outcome.held;
        continue;
      }
      if (!complete(run, folders, context)) {
        outcome.stopped = true;
        return outcome;
      }
    } catch (const std::exception& error) {
      outcome.failures.push_back(rfs::format("{}: {}", title, first_line(error.what())));
      context.events->note(run.job.title, "failed: " + first_line(error.what()));
    }
  }
  outcome.stopped = context.stopped();
  return outcome;
}

std::optional<DrawnPlan> draw_plan(const Plan& plan, const fs::path& experiments, const fs::path& out) {
  const FolderGuard guard(out);
  if (plan.kind == "singular") {
    write_singular(plan, out);
  } else if (!write_result(plan, out)) {
    return std::nullopt;
  }
  write_file(out / "index.html", results_page(experiments, out));
  const fs::path folder = out / plan.folder();
  DrawnPlan drawn{folder / "table.md", out / "index.html", {}, {}};
  if (plan.kind == "arena") {
    drawn.figure = folder / "heat_map.png";
    drawn.summary = folder / "summary.md";
  }
  if (plan.kind == "lengths") drawn.figure = folder / "exact_match.png";
  if (plan.kind == "singular") drawn.figure = folder / "singular.png";
  return drawn;
}

std::string state_text(const PlannedRun& run) {
  if (const auto holder = RunLock::holder(run.job.folder); !holder.empty()) return "running on " + holder;
  switch (state_of(run)) {
    case RunState::done:
      return "done";
    case RunState::to_evaluate:
      return rfs::format("to evaluate ({} of {} tests missing)", missing_tests(run).size(), run.tests.size());
    case RunState::to_resume: {
      const auto metrics = Run(run.job.folder).metrics();
      return rfs::format("to resume (at step {} or before)", metrics.empty() ? 0 : metrics.back().step);
    }
    case RunState::to_train_again:
      return "to train again (tests and weights are missing)";
    default:
      return "to do";
  }
}

}  // namespace rfs
