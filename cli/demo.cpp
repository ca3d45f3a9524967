#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "progress.h"
#include "rfs/core/error.h"
#include "steps.h"

namespace rfs {
namespace {

struct Arguments {
  std::string out = "runs/demo";
  std::vector<std::string> assignments;
};

std::filesystem::path demo_file() {
  for (const char* folder : {RFS_INSTALLED_EXPERIMENTS, RFS_EXPERIMENTS}) {
    const auto file = std::filesystem::path(folder) / "demo.toml";
    if (std::filesystem::exists(file)) return file;
  }
  throw Error(fmt::format("demo: its settings must be in {} or {}, got neither", RFS_INSTALLED_EXPERIMENTS, RFS_EXPERIMENTS));
}

int demo(const Arguments& arguments, const Program& program) {
  const auto begin = std::chrono::steady_clock::now();
  const auto points = expand(read_settings(demo_file(), arguments.assignments));
  std::vector<Experiment> experiments;
  for (const auto& point : points) experiments.push_back(Experiment::read(point.settings));
  fmt::print(stderr,
             "Two small Transformers learn to copy 2 to 10 words, then copy 11 to 20.\n"
             "They differ in one thing: how tokens are numbered. About two minutes on two cores.\n\n");
  const std::filesystem::path out = arguments.out;
  for (size_t i = 0; i < points.size(); ++i) {
    const auto folder = points[i].name.empty() ? out : out / points[i].name;
    const auto title = fmt::format("{:<13}", points[i].name);
    if (!train_run(folder, experiments[i], title, program)) return exit_stopped;
    if (!eval_run(Run(folder), {}, false, title, program)) return exit_stopped;
  }
  report_runs({out}, out / "report");
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  fmt::print("\nDone in {}. Next: open the page, or look at what can be changed with `rfs show {}`.\n", duration(seconds),
             out.string() + "/" + points.front().name);
  return 0;
}

}  // namespace

void add_demo(CLI::App& app, const Program& program, int& status) {
  auto* verb = app.add_subcommand("demo", "See it work: two small models, a figure and a page, in minutes on a CPU");
  auto arguments = std::make_shared<Arguments>();
  verb->add_option("--out", arguments->out, "where to write")->capture_default_str();
  verb->add_option("--set", arguments->assignments, "table.key=value, over the demo's")->allow_extra_args(false);
  verb->callback([arguments, &program, &status] { status = demo(*arguments, program); });
}

}  // namespace rfs
