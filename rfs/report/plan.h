#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "rfs/core/error.h"
#include "rfs/core/settings.h"

namespace rfs {

/// One way of training: settings with a name. Experiments share its runs.
struct Training {
  std::string name;
  std::vector<std::string> assignments;  ///< table.key=value; a value can name a table of the preset (Preset::values)
};

/// One line of a figure: a training and one way to test it.
struct Method {
  std::string name, training;
  std::string record;                    ///< its evaluation is eval-RECORD.json; "" for eval.json
  std::vector<std::string> assignments;  ///< only for the test; values as in Training
  bool of_arena = false;                 ///< only the arena has this test
};

/// A published number: the mean exact match of a method over some lengths.
struct Published {
  std::string task, method;
  int64_t first = 0, last = 0;
  double value = 0;
  std::string source;
};

/// The sizes of an experiment: the paper's, or small ones (experiments/presets/NAME.toml).
struct Preset {
  std::string name;
  Settings settings;  ///< without seeds
  std::vector<int64_t> seeds;
  int64_t steps = 0;
  std::map<std::string, std::vector<std::string>> tasks;   ///< assignments by task
  std::map<std::string, std::vector<std::string>> longer;  ///< the arena's tests of much longer inputs, by task
  /// What a training's value `longest`, `trained` or `local` stands for, by that word and by task: tokens of the
  /// longest input, tokens of the longest training row, tokens that a layer with a local window sees.
  std::map<std::string, std::map<std::string, int64_t>> values;
  std::map<std::string, double> tokens;  ///< mean tokens per training row
  std::string machine, measured_task;    ///< the machine and task of the measured step time
  double step_seconds = 0, parameters = 0;
};

/// One figure or table of the paper and its parts (experiments/NAME.toml, methods.toml and a preset).
struct Plan {
  std::string name, title, paper, kind;  ///< kind: lengths, errors, singular or arena
  bool extra = false;                    ///< no figure or table of the paper itself
  std::vector<std::string> tasks;
  std::vector<std::string> slow;  ///< methods that are trained only on request (--methods)
  std::vector<std::pair<std::string, std::vector<std::string>>> lines;  ///< rows of panels: title, methods
  std::vector<Published> published;
  std::vector<Training> trainings;  ///< all known ones, not only this plan's
  std::vector<Method> methods;      ///< all known ones
  Preset preset;
  int64_t steps = 0;
  Settings file;  ///< the content of experiments/NAME.toml

  const Method& method(const std::string& wanted) const;
  /// The methods of all lines, each once.
  std::vector<std::string> method_names() const;
  /// The trainings those methods need, each once.
  std::vector<std::string> training_names() const;
  /// All tests of a training on a task; for the arena, each test is followed by that of much longer inputs.
  std::vector<Method> tests_of(const std::string& task, const std::string& training) const;

  /// "copy"; "copy-tiny"; "copy-20000" if the steps differ from the preset's.
  std::string folder() const;
  /// The folder of a run below the output folder: runs/paper-40000/copy/rope-rfs/256788.
  std::filesystem::path run_folder(const std::string& task, const std::string& training, int64_t seed) const;
};

/// The purpose of a file below experiments/, decided by its tables: settings of runs, or one of three inputs of `rfs
/// reproduce`.
enum class PlanFile { settings, experiment, methods, preset };
PlanFile plan_file(const Settings& file);

/// The tables of a preset file that are settings of runs, and the tables that only `rfs reproduce` reads.
Settings preset_settings(const Settings& file);
Settings preset_extras(const Settings& file);

/// A preset cannot run an experiment, because it lacks a task or table.
struct UnfitPreset : Error {
  UnfitPreset(const std::string& line, std::string lacking_thing) : Error(line), lacking(std::move(lacking_thing)) {}
  std::string lacking;  ///< "task copy2"
};

/// Reads experiments/NAME.toml. If `steps` is 0, the preset's steps apply. Throws Error for unknown names and broken
/// files, and UnfitPreset.
Plan read_plan(const std::filesystem::path& experiments, const std::string& name, const std::string& preset,
               int64_t steps);

/// The plan named by an experiment.toml next to a drawn figure. Throws Error.
Plan drawn_plan(const std::filesystem::path& experiments, const std::filesystem::path& file);

/// The record of the arena's test of much longer inputs: eval-long.json, or eval-RECORD-long.json.
std::string long_record_of(const Method& method);

/// Adds a user's method to a plan, in a separate row: "NAME=table.key=value table.key=value". Throws Error.
void add_method(Plan& plan, const std::string& text);

/// The experiments of a folder: the stems of its files that have an [experiment] table, sorted; those of kind `without`
/// are left out.
std::vector<std::string> plan_names(const std::filesystem::path& experiments, const std::string& without = "");

}  // namespace rfs
