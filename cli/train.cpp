#include <memory>

#include "print.h"
#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/core/words.h"
#include "rfs/run/folders.h"
#include "rfs/run/source.h"
#include "rfs/run/training.h"
#include "verbs.h"

namespace rfs {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::vector<std::string> files, assignments;
  std::string from, out;
  bool together = false;
};

int train_files(const Arguments& arguments, const RunContext& context) {
  auto assignments = arguments.assignments;
  if (!arguments.from.empty()) assignments.push_back("train.from=" + quoted(arguments.from));
  const bool several = arguments.files.size() > 1;
  const fs::path base = arguments.out.empty() ? "runs" : arguments.out;
  std::vector<Job> jobs;
  std::vector<std::string> next;
  const Ranks& ranks = *context.ranks;
  agree(ranks, [&] {
    if (arguments.together && ranks.size() > 1) {
      throw Error(rfs::format("--together: cannot be combined with several ranks (there are {})", ranks.size()));
    }
    for (const fs::path file : arguments.files) {
      const fs::path out = several || arguments.out.empty() ? base / file.stem() : base;
      for (const SweepPoint& point : expand_with_source(read_settings(file, assignments), out)) {
        const fs::path folder = point.name.empty() ? out : out / point.name;
        const auto title = several ? folder.lexically_relative(base) : folder.filename();
        jobs.push_back({folder, RunSettings::read(point.settings), title.string()});
        if (!arguments.out.empty() && folder != base) require_sweep_folder(base, several ? 2 : 1);
      }
      next.push_back("rfs eval " + shell_word(out.string()));
    }
    check_jobs(jobs, context);
  });
  require_same_ranks(jobs, ranks);
  if (!train_jobs(jobs, arguments.together, context)) return exit_stopped;
  if (ranks.first())
    print("Next: {}\n",
          several && !arguments.out.empty() ? "rfs eval " + shell_word(base.string()) : join(next, " && "));
  return 0;
}

}  // namespace

void add_train(Command& app, const RunContext& context, int& status) {
  Command verb = app.add_subcommand(
      "train", "Train the runs of settings files; `mpirun -n 4 rfs train ...` trains with four ranks");
  auto arguments = std::make_shared<Arguments>();
  verb.add_option("FILE", arguments->files, "settings (TOML); a list where one value is expected is a sweep")
      .required();
  verb.add_option(
      "--from", arguments->from,
      "continue from the weights of a run, or of a model folder in the layout of transformers; sets train.from");
  verb.add_option("--out", arguments->out,
                  "folder of the run or sweep (default: runs/NAME); for several files, the folder that holds theirs");
  verb.add_option("--set", arguments->assignments, "table.key=value; overrides the files").one_value();
  verb.add_flag("--together", arguments->together, "train all runs at the same time instead of one after the other");
  verb.callback([arguments, &context, &status] { status = train_files(*arguments, context); });
}

}  // namespace rfs
