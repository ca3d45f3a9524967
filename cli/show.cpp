#include <algorithm>
#include <cctype>
#include <memory>

#include "print.h"
#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/report/plan.h"
#include "rfs/run/settings.h"
#include "rfs/run/source.h"
#include "verbs.h"

namespace rfs {
namespace {

struct Arguments {
  std::string file;
  std::vector<std::string> assignments;
};

/// A key as TOML: quoted unless it is a bare word.
std::string key_text(const std::string& key) {
  const auto bare = [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-'; };
  return !key.empty() && std::all_of(key.begin(), key.end(), bare) ? key : quoted(key);
}

/// Prints tables as TOML.
void print_tables(const Settings& settings) {
  for (const Table& table : settings.tables()) {
    print("\n[{}]\n", table.name);
    for (const auto& [key, value] : table.values()) {
      const auto* list = std::get_if<Value::List>(&value.data);
      const bool rows = list && !list->empty() && std::holds_alternative<Value::List>(list->front().data);
      if (!rows) {
        print("{} = {}\n", key_text(key), value.text());
        continue;
      }
      print("{} = [\n", key_text(key));
      for (const Value& row : *list) print("  {},\n", row.text());
      print("]\n");
    }
  }
}

/// Shows a file below experiments/ that has no settings of runs.
void show_plan_file(const Arguments& arguments, const Settings& settings) {
  const std::string name = std::filesystem::path(arguments.file).stem();
  const bool methods = plan_file(settings) == PlanFile::methods;
  if (!arguments.assignments.empty()) {
    throw Error(rfs::format("--set: {} contains {}, not settings; use --set with rfs train or a settings file",
                            arguments.file,
                            methods ? "the methods of rfs reproduce" : "an experiment of rfs reproduce"));
  }
  if (methods) {
    print(
        "# The methods that experiments of `rfs reproduce` use. A training is a list of settings that override the "
        "preset's;\n"
        "# a test is [training, record, settings...]: another way to evaluate the same weights.\n");
  } else {
    print(
        "# An experiment of `rfs reproduce`: a figure or table of the paper, with its methods and the published "
        "numbers.\n"
        "# `rfs reproduce {0} --dry-run` lists its runs, `rfs reproduce {0}` reproduces it.\n",
        name);
  }
  print_tables(settings);
}

void show(const Arguments& arguments) {
  std::filesystem::path file = arguments.file;
  std::error_code ignored;
  const bool is_run = std::filesystem::is_directory(file, ignored);  // its settings need no source
  if (is_run) file /= "settings.toml";
  Settings settings = read_settings(file, {});
  const PlanFile kind = plan_file(settings);
  if (kind == PlanFile::experiment || kind == PlanFile::methods) return show_plan_file(arguments, settings);
  const Settings extras = preset_extras(settings);
  if (kind == PlanFile::preset) settings = preset_settings(settings);
  const Settings written = assigned(settings, arguments.assignments);
  const auto points = is_run ? expand(written) : expand_with_source(written);
  for (const auto& point : points) RunSettings::read(point.settings);
  if (kind == PlanFile::preset) {
    print(
        "# The preset `rfs reproduce NAME --preset {}`: settings of its runs; those of task and method override "
        "them.\n",
        file.stem().string());
  }
  if (points.size() > 1) {
    print("# A sweep of {} runs:", points.size());
    for (const auto& point : points) print(" {}", point.name);
    print("\n# Settings of the first:\n\n");
  }
  // The output is valid TOML: help text and origin are comments.
  std::string gap;
  RunSettings::read(points.front().settings)
      .visit([&](const std::string& table, const std::string& use, const std::string& origin, const Options& options) {
        print("{}[{}]\n", gap, table);
        gap = "\n";
        const auto line = [](const std::string& key, const std::string& value, const std::string& help,
                             const std::string& from) {
          print("{:<42} # {:<28} {}\n", key + " = " + value, from, help);
        };
        if (!use.empty()) line("use", quoted(use), "see rfs list " + table.substr(table.rfind('.') + 1), origin);
        for (const auto& entry : options.entries()) {
          line(entry.name, options.value(entry).text(),
               entry.help + (entry.words.empty() ? "" : "; must " + entry.words), entry.origin);
        }
      });
  if (kind != PlanFile::preset) return;
  print(
      "\n# Only for `rfs reproduce`: settings of each task, input sizes, and the measured speed for time estimates.\n");
  print_tables(extras);
}

}  // namespace

void add_show(Command& app, const RunContext&, int&) {
  Command verb = app.add_subcommand("show", "Show every resolved setting, where it comes from and what it means");
  auto arguments = std::make_shared<Arguments>();
  verb.add_option("FILE", arguments->file, "settings (TOML) or a run's folder; without it, the defaults");
  verb.add_option("--set", arguments->assignments, "table.key=value; overrides the file").one_value();
  verb.callback([arguments] { show(*arguments); });
}

}  // namespace rfs
