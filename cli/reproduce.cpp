#include <algorithm>
#include <memory>

#include "experiments_folder.h"
#include "plan_runs.h"
#include "print.h"
#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "verbs.h"

namespace rfs {
namespace fs = std::filesystem;
namespace {

struct Arguments : PlanArguments {
  std::string name;
  bool list = false;
};

/// Prints all plans with the share of their runs that are done, by seed.
void list_plans(const fs::path& experiments, const Arguments& arguments) {
  for (const auto& name : plan_names(experiments)) {
    try {
      const Plan plan = read_plan(experiments, name, arguments.preset, arguments.steps);
      print("{:<10} {:<38} {}\n", name, plan.paper, plan.title);
      struct Share {
        int64_t seed = 0;
        size_t done = 0, all = 0;
      };
      std::vector<Share> shares;
      for (const auto& run : planned_runs(plan, {{}, {}, arguments.narrowing.seeds}, arguments.out)) {
        shares.resize(std::max(shares.size(), run.seed + 1));
        Share& share = shares[run.seed];
        share.seed = *run.job.settings.train.seed;
        share.all += 1;
        if (state_of(run) == RunState::done) share.done += 1;
      }
      std::vector<std::string> texts;
      for (const Share& one : shares)
        texts.push_back(rfs::format("{} of {} with seed {}", one.done, one.all, one.seed));
      if (!texts.empty()) print("{:<10} runs done: {}\n", "", join(texts));
    } catch (const Error& error) {  // not for this preset
      print("{:<10} {}\n", name, error.what());
    }
  }
  print("\n`rfs reproduce NAME --dry-run` lists its runs and estimates time and disk space.\n");
}

/// All experiments of the paper that the preset can run; the arena has its own command.
std::vector<Plan> all_plans(const fs::path& experiments, const Arguments& arguments) {
  std::vector<Plan> plans;
  for (const auto& name : plan_names(experiments, "arena")) {
    try {
      plans.push_back(read_plan(experiments, name, arguments.preset, arguments.steps));
    } catch (const UnfitPreset& error) {
      say("skipped {}: preset {} has no {}\n", name, arguments.preset, error.lacking);
    }
  }
  return plans;
}

int reproduce(const Arguments& arguments, const RunContext& context) {
  const auto experiments = experiments_folder();
  if (arguments.list) {
    list_plans(experiments, arguments);
    return 0;
  }
  if (arguments.name.empty()) throw Error("command line: NAME is required; see rfs reproduce --list");
  const bool all = arguments.name == "all";
  const auto plans = all ? all_plans(experiments, arguments)
                         : std::vector{read_plan(experiments, arguments.name, arguments.preset, arguments.steps)};
  return run_plans(plans, arguments, all, context);
}

}  // namespace

void add_reproduce(Command& app, const RunContext& context, int& status) {
  Command verb = app.add_subcommand("reproduce", "Reproduce a figure or table of the paper: train, evaluate, draw");
  auto arguments = std::make_shared<Arguments>();
  arguments->preset = "paper";
  arguments->out = "runs/reproduce";
  verb.add_option("NAME", arguments->name, "an experiment, or all; see --list");
  verb.add_flag("--list", arguments->list, "list figures and tables, with the share of runs that are done in --out");
  add_plan_options(verb, *arguments);
  verb.callback([arguments, &context, &status] { status = reproduce(*arguments, context); });
}

}  // namespace rfs
