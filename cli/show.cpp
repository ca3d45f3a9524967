#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "experiment.h"
#include "print.h"
#include "verbs.h"

namespace rfs {
namespace {

struct Arguments {
  std::string file;
  std::vector<std::string> assignments;
};

void show(const Arguments& arguments) {
  std::filesystem::path file = arguments.file;
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) file /= "settings.toml";
  const auto points = expand(read_settings(file, arguments.assignments));
  for (const auto& point : points) Experiment::read(point.settings);
  if (points.size() > 1) {
    print("# A sweep of {} runs:", points.size());
    for (const auto& point : points) print(" {}", point.name);
    print("\n# Settings of the first:\n\n");
  }
  // The output is TOML again: comments carry help and origin.
  std::string gap;
  Experiment::read(points.front().settings)
      .visit([&](const std::string& table, const std::string& use, const std::string& origin, const Options& options) {
        print("{}[{}]\n", gap, table);
        gap = "\n";
        const auto line = [](const std::string& key, const std::string& value, const std::string& help,
                             const std::string& from) {
          print("{:<42} # {:<28} {}\n", key + " = " + value, from, help);
        };
        if (!use.empty()) line("use", quoted(use), "see rfs list " + table, origin);
        for (const auto& entry : options.entries()) {
          line(entry.name, options.value(entry).text(),
               entry.help + (entry.words.empty() ? "" : "; must " + entry.words), entry.origin);
        }
      });
}

}  // namespace

void add_show(CLI::App& app, const Program&, int&) {
  auto* verb = app.add_subcommand("show", "Show every resolved setting with where it came from and what it means");
  auto arguments = std::make_shared<Arguments>();
  verb->add_option("FILE", arguments->file, "settings (TOML) or a run's folder; without it, the defaults");
  verb->add_option("--set", arguments->assignments, "table.key=value, over the file's")->allow_extra_args(false);
  verb->callback([arguments] { show(*arguments); });
}

}  // namespace rfs
