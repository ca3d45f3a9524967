#include <fmt/format.h>

#include <memory>

#include "print.h"
#include "steps.h"

namespace rfs {
namespace {

struct Arguments {
  std::string file, out;
  std::vector<std::string> assignments;
};

int train_file(const Arguments& arguments, const Program& program) {
  const std::filesystem::path file = arguments.file;
  const std::filesystem::path out = arguments.out.empty() ? "runs" / file.stem() : std::filesystem::path(arguments.out);
  const auto points = expand(read_settings(file, arguments.assignments));
  const auto folder = [&](const Point& point) { return point.name.empty() ? out : out / point.name; };
  std::vector<Experiment> experiments;  // all are checked before the first one starts
  for (const auto& point : points) experiments.push_back(Experiment::read(point.settings));
  for (size_t i = 0; i < points.size(); ++i) check_run(folder(points[i]), experiments[i]);
  for (size_t i = 0; i < points.size(); ++i) {
    if (!train_run(folder(points[i]), experiments[i], folder(points[i]).filename().string(), program))
      return exit_stopped;
  }
  print("Next: rfs eval {}\n", out.string());
  return 0;
}

}  // namespace

void add_train(CLI::App& app, const Program& program, int& status) {
  auto* verb = app.add_subcommand("train", "Train the runs of a settings file");
  auto arguments = std::make_shared<Arguments>();
  verb->add_option("FILE", arguments->file, "settings (TOML); a list where one value is expected is a sweep")
      ->required();
  verb->add_option("--out", arguments->out, "the run's folder, or the sweep's (default: runs/NAME)");
  verb->add_option("--set", arguments->assignments, "table.key=value, over the file's")->allow_extra_args(false);
  verb->callback([arguments, &program, &status] { status = train_file(*arguments, program); });
}

}  // namespace rfs
