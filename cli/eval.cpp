#include <algorithm>
#include <memory>

#include "print.h"
#include "rfs/core/settings.h"
#include "rfs/core/words.h"
#include "rfs/run/evaluation.h"
#include "verbs.h"

namespace rfs {
namespace {

struct Arguments {
  std::string folder, settings;
  std::vector<std::string> assignments;
  std::string as;
  bool again = false;
};

}  // namespace

void add_eval(Command& app, const RunContext& context, int& status) {
  Command verb = app.add_subcommand("eval", "Evaluate trained runs: exact match by length");
  auto arguments = std::make_shared<Arguments>();
  verb.add_option("RUN", arguments->folder, "a run's folder, or a folder of runs").required();
  verb.add_option("--set", arguments->assignments,
                  "eval.key=value, positions.key=value or task.test_...=value; overrides the run's settings; for an "
                  "imported run also task.key=value")
      .one_value();
  verb.add_option("--settings", arguments->settings,
                  "a file with such settings, for example one that rfs longrope wrote");
  verb.add_option("--as", arguments->as, "name of this evaluation: writes eval-NAME.json instead of eval.json");
  verb.add_flag("--again", arguments->again, "evaluate even if a record with the same settings exists");
  verb.callback([arguments, &context, &status] {
    EvalRequest request{arguments->assignments, arguments->as, arguments->again};
    if (!arguments->settings.empty()) request.settings = Settings::from_file(arguments->settings);
    const auto runs = find_runs(arguments->folder);
    const bool some = std::any_of(runs.begin(), runs.end(), [](const Run& run) { return run.trained(); });
    std::vector<std::string> untrained;
    for (const Run& run : runs) {
      if (some && !run.trained()) {
        untrained.push_back(run.folder().string());
      } else if (evaluate_run(run, request, context).stopped()) {
        status = exit_stopped;
        return;
      }
    }
    if (!untrained.empty()) {
      throw Error(rfs::format("{}: not trained yet; the other runs are evaluated", join(untrained, ", ")));
    }
    print("Next: rfs report {}{}\n", shell_word(arguments->folder),
          arguments->as.empty() ? "" : " --eval " + shell_word(arguments->as));
  });
}

}  // namespace rfs
