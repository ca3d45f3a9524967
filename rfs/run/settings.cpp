#include "rfs/run/settings.h"

#include <algorithm>

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/report/plan.h"
#include "rfs/run/tables.h"

namespace rfs {

RunSettings RunSettings::read(const Settings& settings) {
  for (const auto& table : settings.tables()) {
    if (!is_settings_table(table.name)) {
      const std::string where = table.origin.empty() ? table.values().front().second.origin : table.origin;
      const bool of_the_paper = plan_file(settings) != PlanFile::settings;
      throw Error(where + ": " + unknown("table", table.name, settings_tables()) +
                  (of_the_paper ? "; this file is for `rfs reproduce`, see rfs show" : ""));
    }
  }
  RunSettings resolved{ModelSettings::read(settings), {}, {}, {}, {}, {}};
  resolved.task = Choice<Task>::read(settings.find("task"), default_use("task"));
  resolved.tokenizer = Choice<Tokenizer>::read(settings.find("tokenizer"), default_use("tokenizer"));
  resolved.optimizer = Choice<OptimizerRule>::read(settings.find("optimizer"), default_use("optimizer"));
  resolved.train = TrainOptions::read(settings.find("train"));
  if (const auto* table = settings.find("eval")) resolved.eval.read(*table);
  return resolved;
}

void RunSettings::visit(const Visitor& body) const {
  body("positions", positions.use, positions.origin, *positions.options);
  body("encoding", encoding.use, encoding.origin, *encoding.options);
  body("attention", attention.use, attention.origin, *attention.options);
  visit_layers(body);
  body("task", task.use, task.origin, *task.options);
  body("tokenizer", tokenizer.use, tokenizer.origin, *tokenizer.options);
  body("model", "", "", model);
  body("optimizer", optimizer.use, optimizer.origin, *optimizer.options);
  body("train", "", "", train);
  body("eval", "", "", eval);
}

std::string RunSettings::toml() const {
  std::string text;
  visit([&](const std::string& table, const std::string&, const std::string&, const Options&) {
    text += rfs::format("{}[{}]\n{}", text.empty() ? "" : "\n", table, toml(table));
  });
  return text;
}

std::string RunSettings::toml(const std::string& wanted) const {
  std::string text;
  visit([&](const std::string& table, const std::string& use, const std::string&, const Options& options) {
    if (table != wanted) return;
    if (!use.empty()) text += rfs::format("use = {}\n", quoted(use));
    for (const auto& entry : options.entries())
      text += rfs::format("{} = {}\n", entry.name, options.value(entry).text());
  });
  return text;
}

Settings read_settings(const std::filesystem::path& file, const std::vector<std::string>& assignments) {
  return assigned(file.empty() ? Settings() : Settings::from_file(file), assignments);
}

bool changes_inference(const std::string& assignment) {
  std::string key = assignment.substr(0, assignment.find('='));
  if (key.starts_with("layers.") && key.size() > 9 && key[8] == '.') key = key.substr(9);
  return key.starts_with("positions.") || (key.starts_with("encoding.") && key != "encoding.use");
}

void drop_keys_of_other_choices(const Settings& before, Settings& after) {
  for (const auto& table : before.tables()) {
    const Table* now = after.find(table.name);
    const Value *old_use = table.find("use"), *use = now ? now->find("use") : nullptr;
    if (default_use(table.name).empty() || !use || (old_use && *old_use == *use)) continue;
    const auto known = choice_keys(table.name, *use);
    after.table(table.name).erase_if([&](const std::string& key, const Value& value) {
      const Value* old = table.find(key);
      return key != "use" && old && old->origin == value.origin && !known.contains(key);
    });
  }
}

void require_table(const std::string& assignment, const std::vector<std::string>& tables) {
  const std::string table = assignment.substr(0, assignment.find_first_of(".="));
  if (std::find(tables.begin(), tables.end(), table) != tables.end()) return;
  throw Error(rfs::format("--set {}: {}", assignment.substr(0, assignment.find('=')), unknown("table", table, tables)));
}

Settings assigned(const Settings& written, const std::vector<std::string>& assignments, const Settings& changes) {
  Settings settings = written;
  for (const Table& table : changes.tables()) {
    for (const auto& [key, value] : table.values()) settings.table(table.name).set(key, value);
  }
  for (const auto& assignment : assignments) settings.assign(assignment);
  drop_keys_of_other_choices(written, settings);
  return settings;
}

}  // namespace rfs
