#include <memory>

#include "print.h"
#include "rfs/report/scores.h"
#include "rfs/run/scoring.h"
#include "verbs.h"

namespace rfs {
namespace {

struct Arguments {
  std::string folder, data;
  std::vector<std::string> benchmarks, assignments;
  bool again = false;
};

}  // namespace

void add_score(Command& app, const RunContext& context, int& status) {
  Command verb = app.add_subcommand("score", "Score trained language models on multiple-choice benchmarks");
  auto arguments = std::make_shared<Arguments>();
  verb.add_option("RUN", arguments->folder, "a run's folder, or a folder of runs").required();
  verb.add_option("--benchmarks", arguments->benchmarks, "comma-separated names; see `rfs list benchmark`")
      .comma_separated()
      .required();
  verb.add_option("--data", arguments->data,
                  "folder of the benchmark files (default: benchmarks below RFS_DATA or data)");
  verb.add_option("--set", arguments->assignments,
                  "score.key=value, BENCHMARK.key=value, eval.key=value or positions.key=value")
      .one_value();
  verb.add_flag("--again", arguments->again, "score even if a record with the same settings exists");
  verb.callback([arguments, &context, &status] {
    const auto runs = find_runs(arguments->folder);
    const Scoring scoring({arguments->benchmarks, arguments->assignments, arguments->data, arguments->again});
    for (const Run& run : runs) {
      const auto records = scoring.score(run, context);
      if (!records) {
        say("rfs: stopped; finished benchmarks are kept\n");
        status = exit_stopped;
        return;
      }
      print("{}\n{}\n", run.name(), score_summary(*records));
    }
    print("Next: rfs report {} --scores\n", arguments->folder);
  });
}

}  // namespace rfs
