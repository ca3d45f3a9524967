#include <memory>

#include "steps.h"

namespace rfs {
namespace {

struct Arguments {
  std::vector<std::string> folders;
  std::string out;
};

}  // namespace

void add_report(CLI::App& app, const Program&, int&) {
  auto* verb = app.add_subcommand("report", "Draw the figure, table and page of evaluated runs");
  auto arguments = std::make_shared<Arguments>();
  verb->add_option("RUN", arguments->folders, "folders of runs; runs that differ only in their seed are one line")
      ->required();
  verb->add_option("--out", arguments->out, "where to write (default: report/ in the first folder)");
  verb->callback([arguments] {
    const std::vector<std::filesystem::path> folders(arguments->folders.begin(), arguments->folders.end());
    report_runs(folders, arguments->out.empty() ? folders.front() / "report" : std::filesystem::path(arguments->out));
  });
}

}  // namespace rfs
