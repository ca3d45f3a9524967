#include <chrono>
#include <memory>

#include "experiments_folder.h"
#include "print.h"
#include "report.h"
#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/core/words.h"
#include "rfs/run/attention.h"
#include "rfs/run/evaluation.h"
#include "rfs/run/folders.h"
#include "rfs/run/sweep.h"
#include "rfs/run/training.h"
#include "verbs.h"

namespace rfs {
namespace {

struct Arguments {
  std::string out = "runs/demo";
  std::vector<std::string> assignments;
};

int demo(const Arguments& arguments, const RunContext& context) {
  const auto begin = std::chrono::steady_clock::now();
  const auto points = expand(read_settings(experiments_folder() / "demo.toml", arguments.assignments));
  const std::filesystem::path out = arguments.out;
  std::vector<Job> jobs;
  for (const auto& point : points) {
    jobs.push_back({point.name.empty() ? out : out / point.name, RunSettings::read(point.settings),
                    rfs::format("{:<13}", point.name)});
  }
  if (points.size() > 1) require_sweep_folder(out, 1);
  check_jobs(jobs, context);
  // Evaluation settings may change after training; all other settings may not.
  std::vector<std::string> eval_assignments;
  for (const auto& assignment : arguments.assignments) {
    if (assignment.starts_with("eval.")) eval_assignments.push_back(assignment);
  }
  say("Two small Transformers learn to copy 2 to 10 words and are then tested on 11 to 20.\n"
      "They differ only in their token positions. This takes about two minutes on two cores.\n\n");
  for (const Job& job : jobs) {
    if (!train_jobs({job}, false, context)) return exit_stopped;
    if (evaluate_run(Run(job.folder), {eval_assignments, "", false, job.title}, context).stopped()) return exit_stopped;
    try {
      write_attention(Run(job.folder), {}, context);
    } catch (const Error&) {  // --set may choose a model or task without attention maps; the page then has none
    }
  }
  print_report(report_runs({out}, out / "report", "", context));
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  print("\nDone in {}. Next: open the page, or list all settings with `rfs show {}`.\n", duration_text(seconds),
        out.string() + "/" + points.front().name);
  return 0;
}

}  // namespace

void add_demo(Command& app, const RunContext& context, int& status) {
  Command verb = app.add_subcommand("demo", "Train two small models and draw a figure and a page, in minutes on a CPU");
  auto arguments = std::make_shared<Arguments>();
  verb.add_option("--out", arguments->out, "output folder").show_default();
  verb.add_option("--set", arguments->assignments, "table.key=value; overrides the demo's settings").one_value();
  verb.callback([arguments, &context, &status] { status = demo(*arguments, context); });
}

}  // namespace rfs
