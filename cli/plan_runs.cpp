#include "plan_runs.h"

#include <optional>
#include <regex>

#include "experiments_folder.h"
#include "print.h"
#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/core/words.h"
#include "rfs/report/result.h"
#include "rfs/run/campaign.h"
#include "verbs.h"

namespace rfs {
namespace fs = std::filesystem;
namespace {

std::pair<int64_t, int64_t> read_shard(const std::string& text) {
  std::smatch match;
  static const std::regex form("([0-9]{1,6})/([0-9]{1,6})");
  if (text.empty()) return {1, 1};
  if (std::regex_match(text, match, form)) {
    const int64_t part = std::stoll(match[1]), parts = std::stoll(match[2]);
    if (part >= 1 && part <= parts) return {part, parts};
  }
  throw Error(rfs::format("--shard: must be i/n with i from 1 to n, got '{}'", shortened(text)));
}

void print_plan(const std::vector<Plan>& plans, const std::vector<PlannedRun>& runs, bool drop_weights) {
  for (const Plan& plan : plans) {
    print("{}\n{}; preset {}, {} steps\n\n", plan.title, plan.paper, plan.preset.name, plan.steps);
  }
  double seconds = 0;
  size_t done = 0, open = 0;
  for (const auto& run : runs) {
    print("  {:<44} {}\n", run.job.title, state_text(run));
    const auto state = state_of(run);
    (state == RunState::done ? done : open) += 1;
    seconds += seconds_left(run);
  }
  const Preset& preset = plans.front().preset;
  const double weights = 4 * preset.parameters;
  print("\n{} runs: {} done, {} left\n", runs.size(), done, open);
  if (open == 0) return;
  print("time   about {} of training on {} ({:.3g} ms per step of {}), and evaluation\n", duration_text(seconds),
        preset.machine, 1e3 * preset.step_seconds, preset.measured_task);
  print("disk   about {} more for weights{}, and {} while a run trains\n",
        bytes_text(weights * static_cast<double>(drop_weights ? 1 : open)),
        drop_weights ? "" : " (--drop-weights keeps only one run's weights at a time)", bytes_text(3 * weights));
}

/// Draws the figures of the records in `out` and prints their paths; if `table` is true, also prints the table.
void draw(const Plan& plan, const fs::path& experiments, const fs::path& out, bool table) {
  const auto drawn = draw_plan(plan, experiments, out);
  if (!drawn) {
    say("no records of {} in {}: nothing to draw\n", plan.folder(), out.string());
    return;
  }
  if (table) print("\n{}\n", read_file(drawn->table));
  if (!drawn->figure.empty()) print("Figure  {}\n", drawn->figure.string());
  if (!drawn->summary.empty()) print("Summary {}\n", drawn->summary.string());
  print("Page    {}\n", drawn->page.string());
}

}  // namespace

int run_plans(const std::vector<Plan>& plans, const PlanArguments& a, bool campaign, const RunContext& context) {
  const fs::path experiments = experiments_folder(), out = a.out;
  if (!a.records.empty() && fs::weakly_canonical(a.records) == fs::weakly_canonical(out)) {
    throw Error(rfs::format("--records: must differ from --out, got {} for both", out.string()));
  }
  const auto [part, parts] = read_shard(a.shard);
  const auto runs = shard(planned_runs(plans, a.narrowing, out), part, parts);
  if (a.dry_run) {
    print_plan(plans, runs, a.drop_weights);
    return 0;
  }
  if (a.draw && plans.size() == 1 && plans[0].kind != "singular" && read_results(plans[0], out).empty()) {
    throw Error(rfs::format("{}: no records of {} ({}, {} steps); run the same command without --draw first",
                            out.string(), plans[0].name, plans[0].preset.name, plans[0].steps));
  }
  require_reproduction(out);
  if (!a.records.empty()) require_reproduction(a.records);
  const ReproduceFolders folders = {out, a.records, a.drop_weights};
  CampaignOutcome outcome;
  if (!a.draw && (campaign || a.minutes > 0)) {
    Budget budget;
    if (a.minutes > 0) budget.seconds = 60 * a.minutes;
    outcome = run_campaign(plans, runs, folders, budget, context);
  } else if (!a.draw) {
    static_cast<ReproduceOutcome&>(outcome) = complete_runs(runs, folders, context);
  }
  if (outcome.stopped) return exit_stopped;
  std::optional<Error> undrawn;
  try {
    for (const Plan& plan : plans) {
      draw(plan, experiments, out, plans.size() == 1);
      if (!a.records.empty()) draw(plan, experiments, a.records, false);
    }
  } catch (const Error& error) {  // reported last, after the failed runs
    undrawn = error;
  }
  const auto& failures = outcome.failures;
  if (outcome.held > 0) say("skipped {} of {} runs that other processes are training\n", outcome.held, runs.size());
  for (const auto& failure : failures) say("failed  {}\n", failure);
  if (!failures.empty()) say("{} of {} runs failed; the same command tries them again\n", failures.size(), runs.size());
  if (outcome.out_of_time) {
    say("the time is up: {} of {} runs are left; the same command continues\n", outcome.left, runs.size());
  }
  if (undrawn) throw *undrawn;
  return failures.empty() ? 0 : 1;
}

void add_plan_options(Command& verb, PlanArguments& a) {
  verb.add_flag("--dry-run", a.dry_run, "print which runs are done and left, with an estimate of time and disk space");
  verb.add_option("--preset", a.preset,
                  "sizes: paper, large or small for a GPU; mini or tiny (not arena) for two CPU cores")
      .show_default();
  verb.add_option("--out", a.out, "folder for runs, figures and the page").show_default();
  verb.add_option("--records", a.records, "a second folder that gets only the small records and the figures");
  verb.add_option("--steps", a.steps, "number of steps, instead of the preset's").range(1, int64_t{1} << 40);
  verb.add_option("--minutes", a.minutes, "stop after this time; the most informative runs come first")
      .real_range(0.01, 1e6);
  verb.add_option("--seeds", a.narrowing.seeds, "seeds instead of the preset's, such as 256788,777")
      .comma_separated()
      .one_value();
  verb.add_option("--methods", a.narrowing.methods, "only these methods: rope-rfs,none").comma_separated().one_value();
  verb.add_option("--tasks", a.narrowing.tasks, "only these tasks: copy,reverse").comma_separated().one_value();
  verb.add_option("--shard", a.shard, "i/n: run part i of n, for several GPUs or machines that share --out");
  verb.add_flag("--draw", a.draw, "do not train; draw the figures of the records in --out");
  verb.add_flag("--drop-weights", a.drop_weights, "delete a run's weights after its last evaluation");
}

}  // namespace rfs
