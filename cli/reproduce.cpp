#include <chrono>
#include <memory>
#include <optional>
#include <regex>

#include "lock.h"
#include "print.h"
#include "progress.h"
#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/core/temporary.h"
#include "rfs/report/result.h"
#include "rfs/report/results_page.h"
#include "singular.h"
#include "steps.h"
#include "sweep.h"

namespace rfs {
namespace fs = std::filesystem;
namespace {

struct Arguments {
  std::string name, preset = "paper", out = "runs/reproduce", records, shard;
  Narrowing narrowing;
  int64_t steps = 0;
  bool list = false, dry_run = false, draw = false, drop_weights = false;
};

void list_plans(const fs::path& experiments, const std::string& preset) {
  for (const auto& name : plan_names(experiments)) {
    const Plan plan = read_plan(experiments, name, preset, 0);
    print("{:<10} {:<38} {}\n", name, plan.paper, plan.title);
  }
  print("\n`rfs reproduce NAME --dry-run` says what it takes.\n");
}

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
      return "to train again (tests are missing and so are the weights)";
    default:
      return "to do";
  }
}

/// Seconds of training that are left, from the preset's measured rate.
double seconds_left(const Plan& plan, const PlannedRun& run) {
  const auto state = state_of(run);
  if (state == RunState::done || state == RunState::to_evaluate) return 0;
  double share = 1;
  if (state == RunState::to_resume) {
    const auto metrics = Run(run.job.folder).metrics();
    if (!metrics.empty()) share -= static_cast<double>(metrics.back().step) / static_cast<double>(plan.steps);
  }
  const auto& tokens = plan.preset.tokens;
  const double weight = tokens.contains(run.task) && tokens.contains(plan.preset.measured_task)
                            ? tokens.at(run.task) / tokens.at(plan.preset.measured_task)
                            : 1;
  return share * plan.preset.step_seconds * static_cast<double>(plan.steps) * weight;
}

void print_plan(const Plan& plan, const std::vector<PlannedRun>& runs, bool drop_weights) {
  print("{}\n{}; preset {}, {} steps\n\n", plan.title, plan.paper, plan.preset.name, plan.steps);
  double seconds = 0;
  size_t done = 0, open = 0;
  for (const auto& run : runs) {
    print("  {:<44} {}\n", run.job.title, state_text(run));
    const auto state = state_of(run);
    (state == RunState::done ? done : open) += 1;
    seconds += seconds_left(plan, run);
  }
  const double weights = 4 * plan.preset.parameters;
  print("\n{} runs: {} done, {} left\n", runs.size(), done, open);
  if (open == 0) return;
  print("time   about {} of training on {} ({:.3g} ms a step of {}), and evaluation\n", duration(seconds),
        plan.preset.machine, 1e3 * plan.preset.step_seconds, plan.preset.measured_task);
  print("disk   about {} more for weights{}, and {} while a run trains\n",
        bytes_text(weights * static_cast<double>(drop_weights ? 1 : open)),
        drop_weights ? "" : " (--drop-weights keeps one run's at a time)", bytes_text(3 * weights));
}

/// Trains and tests one run. Returns false when it was stopped. Throws Error where it fails.
bool complete(const PlannedRun& planned, const Arguments& arguments, const Program& program) {
  const Run run(planned.job.folder);
  const auto state = state_of(planned);
  if (state == RunState::done) {
    say("{}  already done\n", planned.job.title);
  } else {
    if (state == RunState::to_train_again) {
      say("{}  tests are missing and its weights were dropped: trained again\n", planned.job.title);
      fs::remove(run.file("train.json"));
    }
    if (run.exists()) check_jobs({planned.job}, program);  // a fresh one was checked before anything started
    if (!train_jobs({planned.job}, false, program)) return false;
    for (const Method& test : missing_tests(planned)) {
      const auto title = planned.job.title + (test.record.empty() ? "" : " " + test.record);
      if (!eval_run(run, test.assignments, false, title, program, test.record)) return false;
    }
  }
  if (arguments.drop_weights) fs::remove(run.file("model.safetensors"));
  if (!arguments.records.empty()) copy_records(planned, arguments.out, arguments.records);
  return true;
}

/// Throws Error where a folder has files and neither runs nor figures of `rfs reproduce`.
void require_reproduction(const fs::path& folder) {
  const std::string entry = first_entry(folder);
  if (entry.empty()) return;
  std::error_code ignored;
  static const std::regex of_a_preset("[a-z0-9_]+-[0-9]+");
  for (const auto& one : fs::directory_iterator(folder / "runs", ignored)) {
    if (std::regex_match(one.path().filename().string(), of_a_preset)) return;
  }
  for (const auto& one : fs::directory_iterator(folder, ignored)) {
    if (fs::exists(one.path() / "experiment.toml", ignored)) return;
  }
  throw Error(rfs::format("{}: holds '{}' and no runs of rfs reproduce; choose a new or empty folder", folder.string(),
                          shortened(entry)));
}

/// Draws what the records in `out` give, and tells the table.
void draw(const Plan& plan, const fs::path& experiments, const fs::path& out, bool tell) {
  const FolderGuard guard(out);
  if (plan.kind == "singular") {
    write_singular(plan, out);
  } else if (!write_result(plan, out)) {
    say("no records of {} in {}: nothing to draw\n", plan.folder(), out.string());
    return;
  }
  write_file(out / "index.html", results_page(experiments, out));
  const fs::path folder = out / plan.folder();
  if (tell) print("\n{}\n", read_file(folder / "table.md"));
  if (plan.kind == "lengths") print("Figure  {}\n", (folder / "exact_match.png").string());
  if (plan.kind == "singular") print("Figure  {}\n", (folder / "singular.png").string());
  print("Page    {}\n", (out / "index.html").string());
}

int reproduce(const Arguments& arguments, const Program& program) {
  const fs::path experiments = experiments_folder(), out = arguments.out;
  if (arguments.list) {
    list_plans(experiments, arguments.preset);
    return 0;
  }
  if (arguments.name.empty()) throw Error("command line: NAME is required; see rfs reproduce --list");
  const Plan plan = read_plan(experiments, arguments.name, arguments.preset, arguments.steps);
  if (!arguments.records.empty() && fs::weakly_canonical(arguments.records) == fs::weakly_canonical(out)) {
    throw Error(rfs::format("--records: must be another folder than --out, got {} for both", out.string()));
  }
  const auto [part, parts] = read_shard(arguments.shard);
  const auto runs = shard(planned_runs(plan, arguments.narrowing, out), part, parts);
  if (arguments.dry_run) {
    print_plan(plan, runs, arguments.drop_weights);
    return 0;
  }
  if (arguments.draw && plan.kind != "singular" && read_results(plan, out).empty()) {
    throw Error(rfs::format("{}: must hold records of {} ({}, {} steps), got none", out.string(), plan.name,
                            plan.preset.name, plan.steps));
  }
  require_reproduction(out);
  if (!arguments.records.empty()) require_reproduction(arguments.records);
  std::vector<std::string> failures;
  size_t skipped = 0;
  if (!arguments.draw) {
    // What is wrong with settings, data or machine is said before anything starts; what happens to one run later does
    // not stop the others.
    std::vector<Job> fresh;
    for (const auto& run : runs) {
      if (!Run(run.job.folder).exists()) fresh.push_back(run.job);
    }
    check_jobs(fresh, program);
    for (const fs::path folder : {arguments.out, arguments.records}) {
      if (!folder.empty()) require_writable(folder);
    }
    for (size_t i = 0; i < runs.size() && !program.stopped(); ++i) {
      PlannedRun run = runs[i];
      run.job.title = rfs::format("[{}/{}] {}", i + 1, runs.size(), run.job.title);
      try {
        const RunLock lock(run.job.folder);
        if (!lock.held()) {
          say("{}  skipped: held by {}\n", run.job.title, lock.owner());
          ++skipped;
          continue;
        }
        if (!complete(run, arguments, program)) return exit_stopped;
      } catch (const std::exception& error) {
        failures.push_back(rfs::format("{}: {}", runs[i].job.title, first_line(error.what())));
        say("{}  failed: {}\n", run.job.title, first_line(error.what()));
      }
    }
    if (program.stopped()) return exit_stopped;
  }
  std::optional<Error> undrawn;
  try {
    draw(plan, experiments, out, true);
    if (!arguments.records.empty()) draw(plan, experiments, arguments.records, false);
  } catch (const Error& error) {  // said last, after the runs that failed
    undrawn = error;
  }
  if (skipped > 0) say("{} of {} runs were held by other processes\n", skipped, runs.size());
  for (const auto& failure : failures) say("failed  {}\n", failure);
  if (!failures.empty()) say("{} of {} runs failed; the same command tries them again\n", failures.size(), runs.size());
  if (undrawn) throw *undrawn;
  return failures.empty() ? 0 : 1;
}

}  // namespace

void add_reproduce(Command& app, const Program& program, int& status) {
  Command verb = app.add_subcommand("reproduce", "Make a figure or table of the paper: train, evaluate, draw");
  auto arguments = std::make_shared<Arguments>();
  auto& a = *arguments;
  verb.add_option("NAME", a.name, "one of --list");
  verb.add_flag("--list", a.list, "list figures and tables");
  verb.add_flag("--dry-run", a.dry_run, "say which runs are done and left, with an estimate of time and disk");
  verb.add_option("--preset", a.preset, "sizes: paper, or tiny for two CPU cores").show_default();
  verb.add_option("--out", a.out, "where runs, figures and the page go").show_default();
  verb.add_option("--records", a.records, "a second folder, which gets the small records and the figures alone");
  verb.add_option("--steps", a.steps, "updates instead of the preset's").range(1, int64_t{1} << 40);
  verb.add_option("--seeds", a.narrowing.seeds, "seeds instead of the preset's: 256788,777")
      .comma_separated()
      .one_value();
  verb.add_option("--methods", a.narrowing.methods, "some of the experiment's methods: rope-rfs,none")
      .comma_separated()
      .one_value();
  verb.add_option("--tasks", a.narrowing.tasks, "some of the experiment's tasks: copy,scan")
      .comma_separated()
      .one_value();
  verb.add_option("--shard", a.shard, "i/n: the i-th of n parts, for several GPUs or machines and one --out");
  verb.add_flag("--draw", a.draw, "train nothing: draw what the records in --out give");
  verb.add_flag("--drop-weights", a.drop_weights, "remove a run's weights once all its tests are done");
  verb.callback([arguments, &program, &status] { status = reproduce(*arguments, program); });
}

}  // namespace rfs
