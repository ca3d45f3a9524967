#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "rfs/core/registry.h"
#include "rfs/core/settings.h"
#include "rfs/encodings/encoding.h"
#include "rfs/eval/options.h"
#include "rfs/model/options.h"
#include "rfs/positions/indexing.h"
#include "rfs/tasks/examples.h"
#include "rfs/tasks/task.h"
#include "rfs/text/tokenizer.h"
#include "rfs/train/options.h"

namespace rfs {

/// One run's settings: every table resolved and checked.
struct Experiment {
  Choice<PositionIndexing> positions;
  Choice<PositionEncoding> encoding;
  Choice<Task> task;
  Choice<Tokenizer> tokenizer;
  DecoderOptions model;
  TrainOptions train;
  EvalOptions eval;

  /// Throws Error on unknown tables, keys and names, wrong types and broken rules.
  static Experiment read(const Settings& settings);

  /// Calls `body(table, use, origin of use, options)` for each table, in order; `use` is "" for tables without a
  /// choice.
  using Visitor = std::function<void(const std::string&, const std::string&, const std::string&, const Options&)>;
  void visit(const Visitor& body) const;

  /// All settings as TOML: what a run records.
  std::string toml() const;
  /// The keys of one table as TOML, `use` first.
  std::string toml(const std::string& table) const;
};

/// A run's task and tokenizer, which has been told what the task's texts are made of.
struct Data {
  explicit Data(const Experiment& experiment);

  std::vector<Sample> samples(Split split) const { return task->samples(split, *tokenizer); }
  /// The split as ids: mapped from a file where the task has one made by the same tokenizer, else made here.
  Examples examples(Split split) const;

  std::unique_ptr<Task> task;
  std::unique_ptr<Tokenizer> tokenizer;
  std::string tokenizer_settings;  ///< the [tokenizer] table as TOML
};

/// One point of a sweep: its settings and, for naming its folder, the values that were chosen.
struct Point {
  Settings settings;
  std::string name;  ///< "random_float-1"; "" where nothing is swept
};

/// A list where one value is expected is a sweep: the points are all combinations, in the order of the file. Where
/// `use` is swept, a key that one of the choices knows is dropped for those that do not. Throws Error.
std::vector<Point> expand(const Settings& settings);

/// Settings with assignments (table.key=value) applied. Where one changes a table's `use`, the keys that were written
/// for another choice and that the new one does not have are dropped.
Settings assigned(const Settings& written, const std::vector<std::string>& assignments);

/// The settings of a file with `--set` assignments applied.
Settings read_settings(const std::filesystem::path& file, const std::vector<std::string>& assignments);

/// Where the files of experiments are: the folder that RFS_EXPERIMENTS names, else beside the installed program, else
/// in the source tree it was built from. Throws Error where there is none.
std::filesystem::path experiments_folder();

}  // namespace rfs
