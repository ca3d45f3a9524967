#include <memory>

#include "steps.h"

namespace rfs {
namespace {

struct Arguments {
  std::vector<std::string> folders;
  std::string eval, out;
};

}  // namespace

void add_report(CLI::App& app, const Program&, int&) {
  auto* verb = app.add_subcommand("report", "Draw the figure, table and page of evaluated runs");
  auto arguments = std::make_shared<Arguments>();
  verb->add_option("RUN", arguments->folders, "folders of runs; runs that differ only in their seed are one line")
      ->required();
  verb->add_option("--eval", arguments->eval, "the evaluation to report, as `rfs eval --as` named it");
  verb->add_option("--out", arguments->out, "where to write (default: report/ or report-NAME/ in the first folder)");
  verb->callback([arguments] {
    const std::vector<std::filesystem::path> folders(arguments->folders.begin(), arguments->folders.end());
    const auto beside = folders.front() / (arguments->eval.empty() ? "report" : "report-" + arguments->eval);
    report_runs(folders, arguments->out.empty() ? beside : std::filesystem::path(arguments->out), arguments->eval);
  });
}

}  // namespace rfs
