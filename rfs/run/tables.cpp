#include "rfs/run/tables.h"

#include <algorithm>
#include <map>

#include "rfs/core/registry.h"
#include "rfs/eval/options.h"
#include "rfs/model/settings.h"
#include "rfs/optimizers/optimizer_rule.h"
#include "rfs/tasks/task.h"
#include "rfs/text/tokenizer.h"
#include "rfs/train/options.h"

namespace rfs {

const std::vector<std::string>& settings_tables() {
  static const std::vector<std::string> names = {"positions", "encoding", "attention", "layers", "task",
                                                 "tokenizer", "model",    "optimizer", "train",  "eval"};
  return names;
}

bool is_settings_table(const std::string& name) {
  const auto& names = settings_tables();
  return name.starts_with("layers.") || std::find(names.begin(), names.end(), name) != names.end();
}

std::string default_use(const std::string& table) {
  static const std::map<std::string, std::string> choices = {{"positions", "random_float"}, {"encoding", "rope"},
                                                             {"attention", "softmax"},      {"task", "copy"},
                                                             {"tokenizer", "words"},        {"optimizer", "adamw"}};
  const auto choice = choices.find(table.starts_with("layers.") ? table.substr(table.rfind('.') + 1) : table);
  return choice == choices.end() ? "" : choice->second;
}

std::unique_ptr<Options> table_options(const std::string& table, const std::string& use, const std::string& where) {
  if (table == "positions") return Registry<PositionIndexing>::find(use, where).options();
  if (table == "encoding") return Registry<PositionEncoding>::find(use, where).options();
  if (table == "attention") return Registry<AttentionRule>::find(use, where).options();
  if (auto options = ModelSettings::layer_options(table, use, where)) return options;
  if (table == "task") return Registry<Task>::find(use, where).options();
  if (table == "tokenizer") return Registry<Tokenizer>::find(use, where).options();
  if (table == "model") return std::make_unique<DecoderOptions>();
  if (table == "optimizer") return Registry<OptimizerRule>::find(use, where).options();
  if (table == "train") return std::make_unique<TrainOptions>();
  return std::make_unique<EvalOptions>();
}

std::set<std::string> choice_keys(const std::string& table, const Value& use) {
  std::set<std::string> keys;
  if (const auto* list = std::get_if<Value::List>(&use.data)) {
    for (const Value& one : *list) keys.merge(choice_keys(table, one));
  } else if (const auto* name = std::get_if<std::string>(&use.data)) {
    const auto names = table_options(table, *name, use.origin)->names();
    keys.insert(names.begin(), names.end());
  }
  return keys;
}

}  // namespace rfs
