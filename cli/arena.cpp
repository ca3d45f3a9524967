#include <memory>

#include "experiments_folder.h"
#include "plan_runs.h"
#include "verbs.h"

namespace rfs {
namespace {

struct Arguments : PlanArguments {
  std::vector<std::string> added;
};

int arena(const Arguments& arguments, const RunContext& context) {
  Plan plan = read_plan(experiments_folder(), "arena", arguments.preset, arguments.steps);
  for (const auto& text : arguments.added) add_method(plan, text);
  return run_plans({plan}, arguments, true, context);
}

}  // namespace

void add_arena(Command& app, const RunContext& context, int& status) {
  Command verb =
      app.add_subcommand("arena", "Compare methods for longer inputs: train, test, draw, and say what differs");
  auto arguments = std::make_shared<Arguments>();
  arguments->preset = "mini";
  arguments->out = "runs/arena";
  verb.add_option(
          "--add", arguments->added,
          "your own method: 'NAME=table.key=value table.key=value', with the settings that differ from the preset's")
      .one_value();
  add_plan_options(verb, *arguments);
  verb.callback([arguments, &context, &status] { status = arena(*arguments, context); });
}

}  // namespace rfs
