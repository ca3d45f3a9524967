#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "rfs/core/settings.h"

namespace rfs {

/// A way of training: settings under one name. Experiments share its runs.
struct Training {
  std::string name;
  std::vector<std::string> assignments;  ///< table.key=value; the value `longest` stands for the task's longest input
};

/// A line of a figure: a training, tested in one way.
struct Method {
  std::string name, training;
  std::string record;                    ///< its evaluation is eval-RECORD.json; "" for eval.json
  std::vector<std::string> assignments;  ///< of the test alone
};

/// A number that somebody published: mean exact match of a method over some lengths.
struct Published {
  std::string task, method;
  int64_t first = 0, last = 0;
  double value = 0;
  std::string source;
};

/// The sizes an experiment is run at: the paper's, or small ones (experiments/presets/NAME.toml).
struct Preset {
  std::string name;
  Settings settings;  ///< without seeds
  std::vector<int64_t> seeds;
  int64_t steps = 0;
  std::map<std::string, std::vector<std::string>> tasks;  ///< assignments by task
  std::map<std::string, double> longest, tokens;          ///< tokens of the longest input; mean of a training row
  std::string machine, measured_task;                     ///< where a step of which task was measured
  double step_seconds = 0, parameters = 0;
};

/// One figure or table of the paper and what it is made of (experiments/NAME.toml, methods.toml and a preset).
struct Plan {
  std::string name, title, paper, kind;  ///< kind: lengths, errors or singular
  std::vector<std::string> tasks;
  std::vector<std::pair<std::string, std::vector<std::string>>> lines;  ///< rows of panels: title, methods
  std::vector<Published> published;
  std::vector<Training> trainings;  ///< all that are known, not only this plan's
  std::vector<Method> methods;      ///< the same
  Preset preset;
  int64_t steps = 0;
  Settings file;  ///< experiments/NAME.toml as it stands

  const Method& method(const std::string& wanted) const;
  /// The methods of all lines, each once.
  std::vector<std::string> method_names() const;
  /// The trainings those methods need, each once.
  std::vector<std::string> training_names() const;
  /// All tests of a training.
  std::vector<Method> tests_of(const std::string& training) const;

  /// "copy"; "copy-tiny"; "copy-20000" where the steps are not the preset's.
  std::string folder() const;
  /// Where a run lies below the output folder: runs/paper-40000/copy/rope-rfs/256788.
  std::filesystem::path run_folder(const std::string& task, const std::string& training, int64_t seed) const;
};

/// What a file below experiments/ is for, by its tables: the settings of runs, or `rfs reproduce` in one of three ways.
enum class PlanFile { settings, experiment, methods, preset };
PlanFile plan_file(const Settings& file);

/// The tables of a preset's file that are settings of runs, or those that only `rfs reproduce` reads.
Settings preset_settings(const Settings& file);
Settings preset_extras(const Settings& file);

/// Reads experiments/NAME.toml. `steps` of 0 means the preset's. Throws Error for unknown names and broken files.
Plan read_plan(const std::filesystem::path& experiments, const std::string& name, const std::string& preset,
               int64_t steps);

/// The plan of an experiment.toml that was written beside a drawn figure. Throws Error.
Plan drawn_plan(const std::filesystem::path& experiments, const std::filesystem::path& file);

/// The experiments of a folder: the stems of its files that have an [experiment] table, sorted.
std::vector<std::string> plan_names(const std::filesystem::path& experiments);

}  // namespace rfs
