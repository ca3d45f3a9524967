#include "rfs/report/plan.h"

#include <algorithm>
#include <regex>
#include <sstream>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"

namespace rfs {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void refuse(const Value& value, const std::string& rule) {
  throw Error(rfs::format("{}: must be {}, got {}", value.origin, rule, shortened(value.text())));
}

std::string text_of(const Value& value) {
  const auto* text = std::get_if<std::string>(&value.data);
  if (!text) refuse(value, "a string");
  return *text;
}

int64_t whole_of(const Value& value) {
  const auto* whole = std::get_if<int64_t>(&value.data);
  if (!whole) refuse(value, "an integer");
  return *whole;
}

double number_of(const Value& value) {
  if (const auto* whole = std::get_if<int64_t>(&value.data)) return static_cast<double>(*whole);
  const auto* number = std::get_if<double>(&value.data);
  if (!number) refuse(value, "a number");
  return *number;
}

const Value::List& list_of(const Value& value) {
  const auto* list = std::get_if<Value::List>(&value.data);
  if (!list) refuse(value, "a list");
  return *list;
}

std::vector<std::string> texts_of(const Value& value) {
  std::vector<std::string> texts;
  for (const Value& one : list_of(value)) texts.push_back(text_of(one));
  return texts;
}

const Table& table_of(const Settings& settings, const std::string& name, const fs::path& file) {
  const Table* table = settings.find(name);
  if (!table) throw Error(rfs::format("{}: this file has no table [{}]", file.string(), name));
  return *table;
}

const Value& value_of(const Table& table, const std::string& key) {
  const Value* value = table.find(key);
  if (!value) throw Error(rfs::format("{}: [{}] has no key {}", table.origin, table.name, key));
  return *value;
}

std::vector<std::string> stems(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(folder, code)) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem());
  }
  std::sort(names.begin(), names.end());
  return names;
}

Preset read_preset(const fs::path& folder, const std::string& name) {
  const auto known = stems(folder);
  if (std::find(known.begin(), known.end(), name) == known.end())
    throw Error("--preset: " + unknown("preset", name, known));
  const fs::path file = folder / (name + ".toml");
  const auto all = Settings::from_file(file);
  Preset preset;
  preset.name = name;
  const Table& train = table_of(all, "train", file);
  for (const Value& seed : list_of(value_of(train, "seed")))
    preset.seeds.push_back(static_cast<int64_t>(number_of(seed)));
  preset.steps = static_cast<int64_t>(number_of(value_of(train, "steps")));
  for (const auto& [task, value] : table_of(all, "tasks", file).values()) preset.tasks[task] = texts_of(value);
  for (const char* word : {"longest", "trained", "local"}) {
    const Table* table = all.find(word);
    if (!table) continue;
    for (const auto& [task, value] : table->values()) preset.values[word][task] = whole_of(value);
  }
  if (const Table* longer = all.find("long")) {
    for (const auto& [task, value] : longer->values()) preset.longer[task] = texts_of(value);
  }
  for (const auto& [task, value] : table_of(all, "tokens", file).values()) preset.tokens[task] = number_of(value);
  const Table& measured = table_of(all, "measured", file);
  preset.machine = text_of(value_of(measured, "machine"));
  preset.measured_task = text_of(value_of(measured, "task"));
  preset.step_seconds = number_of(value_of(measured, "step_seconds"));
  preset.parameters = number_of(value_of(measured, "parameters"));
  preset.settings = preset_settings(all);
  preset.settings.table("train").erase_if([](const std::string& key, const Value&) { return key == "seed"; });
  return preset;
}

void read_methods(Plan& plan, const fs::path& file) {
  const auto all = Settings::from_file(file);
  for (const auto& [name, value] : table_of(all, "trainings", file).values()) {
    plan.trainings.push_back({name, texts_of(value)});
    plan.methods.push_back({name, name, "", {}});
  }
  for (const bool of_arena : {false, true}) {
    const Table* tests = of_arena ? all.find("arena_tests") : &table_of(all, "tests", file);
    if (!tests) continue;
    for (const auto& [name, value] : tests->values()) {
      const auto texts = texts_of(value);
      if (texts.size() < 3) refuse(value, "[training, record, setting...]");
      plan.method(texts[0]);
      plan.methods.push_back({name, texts[0], texts[1], {texts.begin() + 2, texts.end()}, of_arena});
    }
  }
}

void read_published(Plan& plan) {
  const Table* table = plan.file.find("published");
  if (!table) return;
  for (const Value& row : list_of(value_of(*table, "rows"))) {
    const auto& cells = list_of(row);
    if (cells.size() != 6) refuse(row, "[task, method, first length, last length, value, source]");
    plan.published.push_back({text_of(cells[0]), plan.method(text_of(cells[1])).name,
                              static_cast<int64_t>(number_of(cells[2])), static_cast<int64_t>(number_of(cells[3])),
                              number_of(cells[4]), text_of(cells[5])});
  }
}

template <class List>
bool holds(const List& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

/// The tables of a preset file that only `rfs reproduce` reads, or all other tables.
Settings preset_part(const Settings& file, bool extras) {
  static const std::vector<std::string> names = {"tasks", "long", "longest", "trained", "local", "tokens", "measured"};
  Settings part;
  for (const Table& table : file.tables()) {
    if (holds(names, table.name) == extras) part.table(table.name) = table;
  }
  return part;
}

}  // namespace

PlanFile plan_file(const Settings& file) {
  if (file.find("experiment")) return PlanFile::experiment;
  if (file.find("trainings")) return PlanFile::methods;
  return file.find("tasks") && file.find("measured") ? PlanFile::preset : PlanFile::settings;
}

Settings preset_settings(const Settings& file) {
  return preset_part(file, false);
}

Settings preset_extras(const Settings& file) {
  return preset_part(file, true);
}

const Method& Plan::method(const std::string& wanted) const {
  std::vector<std::string> known;
  for (const Method& one : methods) {
    if (one.name == wanted) return one;
    known.push_back(one.name);
  }
  throw Error(rfs::format("{}: {}", name, unknown("method", wanted, known)));
}

std::vector<std::string> Plan::method_names() const {
  std::vector<std::string> names;
  for (const auto& [title_of_row, row] : lines) {
    for (const auto& one : row) {
      if (!holds(names, one)) names.push_back(one);
    }
  }
  return names;
}

std::vector<std::string> Plan::training_names() const {
  std::vector<std::string> names;
  for (const auto& one : method_names()) {
    if (const auto& training = method(one).training; !holds(names, training)) names.push_back(training);
  }
  return names;
}

std::vector<Method> Plan::tests_of(const std::string& task, const std::string& training) const {
  std::vector<Method> tests;
  for (const Method& one : methods) {
    // The arena leaves out the slow tests of single figures.
    const bool wanted = kind == "arena" ? one.record.empty() || one.of_arena : !one.of_arena;
    if (one.training != training || !wanted) continue;
    tests.push_back(one);
    if (kind != "arena") continue;
    Method longer = one;
    longer.record = long_record_of(one);
    const auto& of_task = preset.longer.at(task);
    longer.assignments.insert(longer.assignments.end(), of_task.begin(), of_task.end());
    tests.push_back(longer);
  }
  return tests;
}

std::string long_record_of(const Method& method) {
  return method.record.empty() ? "long" : method.record + "-long";
}

std::string Plan::folder() const {
  return name + (preset.name == "paper" ? "" : "-" + preset.name) +
         (steps == preset.steps ? "" : rfs::format("-{}", steps));
}

fs::path Plan::run_folder(const std::string& task, const std::string& training, int64_t seed) const {
  return fs::path("runs") / rfs::format("{}-{}", preset.name, steps) / task / training / std::to_string(seed);
}

Plan drawn_plan(const fs::path& experiments, const fs::path& file) {
  const auto settings = Settings::from_file(file);
  const Table& table = table_of(settings, "experiment", file);
  return read_plan(experiments, text_of(value_of(table, "name")), text_of(value_of(table, "preset")),
                   static_cast<int64_t>(number_of(value_of(table, "steps"))));
}

void add_method(Plan& plan, const std::string& text) {
  const auto equals = text.find('=');
  const std::string name = text.substr(0, equals);
  if (equals == std::string::npos || !std::regex_match(name, std::regex("[A-Za-z0-9][A-Za-z0-9_-]*"))) {
    throw Error(rfs::format("--add: must be 'NAME=table.key=value table.key=value', got '{}'", shortened(text)));
  }
  const auto same = [&](const Method& method) { return method.name == name; };
  if (std::any_of(plan.methods.begin(), plan.methods.end(), same)) {
    throw Error(rfs::format("--add: {} already has a method '{}'; choose another name", plan.name, name));
  }
  Training training{name, {}};
  std::istringstream words(text.substr(equals + 1));
  for (std::string word; words >> word;) training.assignments.push_back(word);
  if (training.assignments.empty()) {
    throw Error(rfs::format("--add: {} has no settings; add some, such as encoding.use=rope", name));
  }
  plan.trainings.push_back(training);
  plan.methods.push_back({name, name, "", {}});
  if (plan.lines.empty() || plan.lines.back().first != "Added") plan.lines.push_back({"Added", {}});
  plan.lines.back().second.push_back(name);
}

std::vector<std::string> plan_names(const fs::path& experiments, const std::string& without) {
  std::vector<std::string> names;
  for (const auto& name : stems(experiments)) {
    const auto settings = Settings::from_file(experiments / (name + ".toml"));
    const Table* head = settings.find("experiment");
    if (!head) continue;
    const Value* kind = head->find("kind");
    if (without.empty() || !kind || text_of(*kind) != without) names.push_back(name);
  }
  return names;
}

Plan read_plan(const fs::path& experiments, const std::string& name, const std::string& preset, int64_t steps) {
  const auto known = plan_names(experiments);
  if (!holds(known, name)) throw Error("reproduce: " + unknown("experiment", name, known));
  const fs::path file = experiments / (name + ".toml");
  Plan plan;
  plan.name = name;
  plan.file = Settings::from_file(file);
  const Table& head = table_of(plan.file, "experiment", file);
  plan.title = text_of(value_of(head, "title"));
  plan.paper = text_of(value_of(head, "paper"));
  plan.kind = text_of(value_of(head, "kind"));
  static const std::vector<std::string> kinds = {"lengths", "errors", "singular", "arena"};
  if (!holds(kinds, plan.kind)) {
    throw Error(rfs::format("{}: {}", value_of(head, "kind").origin, unknown("kind", plan.kind, kinds)));
  }
  plan.preset = read_preset(experiments / "presets", preset);
  plan.steps = steps > 0 ? steps : plan.preset.steps;
  if (const Value* extra = head.find("extra")) {
    const auto* flag = std::get_if<bool>(&extra->data);
    if (!flag) refuse(*extra, "true or false");
    plan.extra = *flag;
  }
  read_methods(plan, experiments / "methods.toml");
  if (plan.kind == "singular") return plan;
  plan.tasks = texts_of(value_of(head, "tasks"));
  for (const auto& task : plan.tasks) {
    const auto& known_tasks = plan.kind == "arena" ? plan.preset.longer : plan.preset.tasks;
    if (plan.preset.tasks.contains(task) && known_tasks.contains(task)) continue;
    std::vector<std::string> tasks;
    for (const auto& [one, unused] : known_tasks) tasks.push_back(one);
    if (tasks.empty()) {
      std::vector<std::string> others;
      for (const auto& one : stems(experiments / "presets")) {
        if (Settings::from_file(experiments / "presets" / (one + ".toml")).find("long")) others.push_back(one);
      }
      throw UnfitPreset(
          rfs::format("--preset: {} has no table [long], which {} needs; choose {}", preset, name, join(others, ", ")),
          "table [long]");
    }
    throw UnfitPreset(
        rfs::format("{}: preset {}: {}", value_of(head, "tasks").origin, preset, unknown("task", task, tasks)),
        "task " + task);
  }
  for (const auto& [title, value] : table_of(plan.file, "lines", file).values()) {
    plan.lines.emplace_back(title, texts_of(value));
    for (const auto& one : plan.lines.back().second) plan.method(one);
  }
  if (const Value* slow = head.find("slow")) {
    plan.slow = texts_of(*slow);
    for (const auto& one : plan.slow) plan.method(one);
  }
  read_published(plan);
  return plan;
}

}  // namespace rfs
