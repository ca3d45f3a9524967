#include <memory>

#include "new_folder.h"
#include "print.h"
#include "rfs/core/files.h"
#include "rfs/report/scores.h"
#include "steps.h"

namespace rfs {
namespace fs = std::filesystem;
namespace {

struct Arguments {
  std::vector<std::string> folders;
  std::string eval, out;
  bool scores = false;
};

/// The table of benchmarks: prints it and says where its files are.
void report_scores(const std::vector<std::filesystem::path>& folders, const std::filesystem::path& out) {
  require_report_folder(out);
  write_score_report(folders, out);
  print("{}\nFigure    {}\nMarkdown  {}\nLaTeX     {}\n", read_file(out / "scores.txt"), (out / "scores.png").string(),
        (out / "scores.md").string(), (out / "scores.tex").string());
}

}  // namespace

void add_report(Command& app, const Program&, int&) {
  Command verb = app.add_subcommand("report", "Draw the figure, table and page of evaluated runs");
  auto arguments = std::make_shared<Arguments>();
  verb.add_option("RUN", arguments->folders, "folders of runs; runs that differ only in their seed are one line")
      .required();
  verb.add_option("--eval", arguments->eval, "the evaluation to report, as `rfs eval --as` named it");
  verb.add_flag("--scores", arguments->scores, "the table of benchmarks that `rfs score` scored, instead");
  verb.add_option("--out", arguments->out, "where to write (default: report/ or report-NAME/ in the first folder)");
  verb.callback([arguments] {
    const std::vector<std::filesystem::path> folders(arguments->folders.begin(), arguments->folders.end());
    if (arguments->scores) {
      report_scores(folders, arguments->out.empty() ? folders.front() / "report-scores" : fs::path(arguments->out));
      return;
    }
    const auto beside = folders.front() / (arguments->eval.empty() ? "report" : "report-" + arguments->eval);
    report_runs(folders, arguments->out.empty() ? beside : std::filesystem::path(arguments->out), arguments->eval);
  });
}

}  // namespace rfs
