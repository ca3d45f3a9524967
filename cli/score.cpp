#include <memory>

#include "print.h"
#include "rfs/core/error.h"
#include "rfs/core/limits.h"
#include "rfs/core/words.h"
#include "rfs/report/long_context.h"
#include "rfs/report/scores.h"
#include "rfs/run/long_scoring.h"
#include "rfs/run/scoring.h"
#include "verbs.h"

namespace rfs {
namespace {

struct Arguments {
  std::vector<std::string> folders, benchmarks, assignments, tasks, lengths;
  std::string data, suite;
  int64_t samples = 20, seed = 1;
  bool again = false;
};

/// The runs at or below the folders.
std::vector<Run> all_runs(const std::vector<std::string>& folders) {
  std::vector<Run> runs;
  for (const auto& folder : folders) {
    for (auto& run : find_runs(folder)) runs.push_back(std::move(run));
  }
  return runs;
}

/// A number of tokens: "512", or "4k" for 4,096.
int64_t token_count(const std::string& text) {
  const bool thousands = text.ends_with('k');
  const std::string digits = text.substr(0, text.size() - (thousands ? 1 : 0));
  const bool number =
      !digits.empty() && digits.size() <= 9 && digits.find_first_not_of("0123456789") == std::string::npos;
  const int64_t count = number ? std::stoll(digits) * (thousands ? 1024 : 1) : 0;
  if (count >= 1 && count <= longest_row) return count;
  throw Error(rfs::format("--lengths: must be numbers of tokens from 1 to {}, such as 512 or 4k, got '{}'", longest_row,
                          shortened(text)));
}

/// Returns false if it was stopped.
bool score_benchmarks(const Arguments& arguments, const RunContext& context) {
  const auto runs = all_runs(arguments.folders);
  const Scoring scoring({arguments.benchmarks, arguments.assignments, arguments.data, arguments.again});
  for (const Run& run : runs) {
    const auto records = scoring.score(run, context);
    if (!records) {
      say("rfs: stopped; finished benchmarks are kept\n");
      return false;
    }
    print("{}\n{}\n", run.name(), score_summary(*records));
  }
  return true;
}

/// Returns false if it was stopped.
bool score_suite(const Arguments& arguments, const RunContext& context) {
  if (arguments.suite != "long")
    throw Error("--suite: " + unknown("suite", arguments.suite, std::vector<std::string>{"long"}));
  if (arguments.lengths.empty()) throw Error("command line: --lengths is required, such as --lengths 1k,2k,4k");
  LongRequest request{arguments.tasks, {}, arguments.samples, arguments.seed, arguments.assignments, arguments.again};
  for (const auto& length : arguments.lengths) request.lengths.push_back(token_count(length));
  const auto runs = all_runs(arguments.folders);
  const LongScoring scoring(request);
  for (const Run& run : runs) {
    const auto records = scoring.score(run, context);
    if (!records) {
      say("rfs: stopped; finished lengths and depths are kept, and {}\n",
          arguments.again ? "the others have their earlier scores" : "the same command continues");
      return false;
    }
    print("{}\n{}\n", run.name(), long_table({{run.name(), *records}}));
  }
  return true;
}

}  // namespace

void add_score(Command& app, const RunContext& context, int& status) {
  Command verb = app.add_subcommand(
      "score", "Score trained language models on multiple-choice benchmarks or on the long-context suite");
  auto arguments = std::make_shared<Arguments>();
  verb.add_option("RUN", arguments->folders, "run folders, or folders of runs").required();
  verb.add_option("--benchmarks", arguments->benchmarks, "comma-separated names; see `rfs list benchmark`")
      .comma_separated();
  verb.add_option("--data", arguments->data,
                  "folder of the benchmark files (default: benchmarks below RFS_DATA or data)");
  verb.add_option("--suite", arguments->suite, "instead of benchmarks, the suite `long`: long texts that rfs makes")
      .excludes("--benchmarks")
      .excludes("--data");
  verb.add_option("--lengths", arguments->lengths,
                  "for --suite: comma-separated lengths in tokens of the run's tokenizer; 4k is 4,096")
      .comma_separated()
      .needs("--suite");
  verb.add_option("--tasks", arguments->tasks,
                  "for --suite: comma-separated names; see `rfs list long_task` (default: all)")
      .comma_separated()
      .needs("--suite");
  verb.add_option("--samples", arguments->samples, "for --suite: samples per length and depth (20)")
      .range(1, 100'000)
      .needs("--suite");
  verb.add_option("--seed", arguments->seed, "for --suite: seed of the samples (1)")
      .range(0, 999'999'999'999)
      .needs("--suite");
  verb.add_option("--set", arguments->assignments,
                  "score.key=value, BENCHMARK.key=value, eval.key=value or positions.key=value; for --suite eval, "
                  "positions and encoding")
      .one_value();
  verb.add_flag("--again", arguments->again, "score even if a record with the same settings exists");
  verb.callback([arguments, &context, &status] {
    if (arguments->suite.empty() && arguments->benchmarks.empty()) {
      throw Error("command line: --benchmarks is required, or --suite long");
    }
    const bool done =
        arguments->suite.empty() ? score_benchmarks(*arguments, context) : score_suite(*arguments, context);
    if (!done) {
      status = exit_stopped;
      return;
    }
    std::string folders;
    for (const auto& folder : arguments->folders) folders += shell_word(folder) + " ";
    print("Next: rfs report {}--scores\n", folders);
  });
}

}  // namespace rfs
