#include "report.h"

#include <memory>

#include "print.h"
#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/report/long_context.h"
#include "rfs/report/scores.h"
#include "rfs/run/folders.h"
#include "verbs.h"

namespace rfs {
namespace fs = std::filesystem;
namespace {

struct Arguments {
  std::vector<std::string> folders;
  std::string eval, out;
  bool scores = false, published = false;
};

/// Writes and prints the tables of the long-context suite and of benchmarks, and prints the paths of their files.
void report_scores(const std::vector<fs::path>& folders, const fs::path& out, bool published) {
  const bool benchmarks = any_benchmark_scores(folders);
  if (published && !benchmarks) {
    throw Error("--published: these runs have no scores of benchmarks; leave it out, or run rfs score --benchmarks");
  }
  require_report_folder(out);
  if (const auto scores = read_long_scores(folders); !scores.empty()) {
    write_long_report(scores, out);
    print("{}\nFigure    {}\nMarkdown  {}\nPage      {}\n", long_table(scores), (out / "long.png").string(),
          (out / "long.md").string(), (out / "index.html").string());
    if (!benchmarks) return;
    print("\n");
  }
  write_score_report(folders, out, published);
  print("{}\nFigure    {}\nMarkdown  {}\nLaTeX     {}\n", read_file(out / "scores.txt"), (out / "scores.png").string(),
        (out / "scores.md").string(), (out / "scores.tex").string());
}

}  // namespace

void print_report(const RunReport& report) {
  if (report.perplexity) {
    print("\nPerplexity by input length\n\n{}\nFigure  {}\nPage    {}\n", report.table, report.figure.string(),
          report.page.string());
    return;
  }
  print("\nExact match\n\n{}\n", report.table);
  if (!report.mistakes.empty()) print("{}\nErrors  {}\n", report.mistakes, report.errors.string());
  if (!report.depths.empty()) print("Depths  {}\n", report.depths.string());
  print("Figure  {}\nPage    {}\n", report.figure.string(), report.page.string());
}

void add_report(Command& app, const RunContext& context, int&) {
  Command verb = app.add_subcommand("report", "Draw the figure, table and page of evaluated runs");
  auto arguments = std::make_shared<Arguments>();
  verb.add_option("RUN", arguments->folders, "run folders; runs that differ only in their seed form one line")
      .required();
  verb.add_option("--eval", arguments->eval, "the evaluation to report, as named with `rfs eval --as`");
  verb.add_flag("--scores", arguments->scores, "instead, report the scores of `rfs score`");
  verb.add_flag("--published", arguments->published, "for --scores: also the rows of the paper's table 2")
      .needs("--scores");
  verb.add_option("--out", arguments->out, "output folder (default: report/ or report-NAME/ in the first folder)");
  verb.callback([arguments, &context] {
    const std::vector<fs::path> folders(arguments->folders.begin(), arguments->folders.end());
    if (arguments->scores) {
      report_scores(folders, arguments->out.empty() ? folders.front() / "report-scores" : fs::path(arguments->out),
                    arguments->published);
      return;
    }
    const auto default_out = folders.front() / (arguments->eval.empty() ? "report" : "report-" + arguments->eval);
    const fs::path out = arguments->out.empty() ? default_out : fs::path(arguments->out);
    print_report(report_runs(folders, out, arguments->eval, context));
  });
}

}  // namespace rfs
