#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "rfs/core/registry.h"
#include "rfs/core/settings.h"
#include "rfs/eval/options.h"
#include "rfs/model/settings.h"
#include "rfs/optimizers/optimizer_rule.h"
#include "rfs/tasks/task.h"
#include "rfs/text/tokenizer.h"
#include "rfs/train/options.h"

namespace rfs {

/// One run's settings: every table resolved and checked.
struct RunSettings : ModelSettings {
  Choice<Task> task;
  Choice<Tokenizer> tokenizer;
  Choice<OptimizerRule> optimizer;
  TrainOptions train;
  EvalOptions eval;

  /// Throws Error on unknown tables, keys and names, wrong types and broken rules.
  static RunSettings read(const Settings& settings);

  /// Calls `body(table, use, origin of use, options)` for each table, in order. `use` is "" for tables without a
  /// choice.
  void visit(const Visitor& body) const;

  /// All settings as TOML, as stored with a run.
  std::string toml() const;
  /// The keys of one table as TOML, `use` first.
  std::string toml(const std::string& table) const;
};

/// True if an assignment changes only how a trained model is used: its positions or an option of its encoding, of the
/// model or of one layer kind.
bool changes_inference(const std::string& assignment);

/// Throws Error if an assignment's table is none of `tables`.
void require_table(const std::string& assignment, const std::vector<std::string>& tables);

/// For each table whose `use` differs from `before`: drops the keys that come from there and that the new choice does
/// not have.
void drop_keys_of_other_choices(const Settings& before, Settings& after);

/// Applies other settings, and then assignments (table.key=value). If one changes a table's `use`, keys written for the
/// old choice that the new one does not have are dropped.
Settings assigned(const Settings& written, const std::vector<std::string>& assignments, const Settings& changes = {});

/// Reads a settings file and applies `--set` assignments.
Settings read_settings(const std::filesystem::path& file, const std::vector<std::string>& assignments);

}  // namespace rfs
