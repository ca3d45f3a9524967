#include "experiment.h"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/core/sha256.h"
#include "rfs/report/plan.h"
#include "rfs/tasks/examples_file.h"

namespace rfs {
namespace {

const std::vector<std::string> table_names = {"positions", "encoding", "task", "tokenizer", "model", "train", "eval"};

std::unique_ptr<Options> options_of(const std::string& table, const std::string& use, const std::string& where) {
  if (table == "positions") return Registry<PositionIndexing>::find(use, where).options();
  if (table == "encoding") return Registry<PositionEncoding>::find(use, where).options();
  if (table == "task") return Registry<Task>::find(use, where).options();
  if (table == "tokenizer") return Registry<Tokenizer>::find(use, where).options();
  if (table == "model") return std::make_unique<DecoderOptions>();
  if (table == "train") return std::make_unique<TrainOptions>();
  return std::make_unique<EvalOptions>();
}

const std::map<std::string, std::string> default_use = {
    {"positions", "random_float"}, {"encoding", "rope"}, {"task", "copy"}, {"tokenizer", "words"}};

bool is_known(const std::string& table) {
  return std::find(table_names.begin(), table_names.end(), table) != table_names.end();
}

/// The keys of a choice, or of all in a list of choices. Throws Error for an unknown choice.
std::set<std::string> keys_of(const std::string& table, const Value& use) {
  std::set<std::string> keys;
  if (const auto* list = std::get_if<Value::List>(&use.data)) {
    for (const Value& one : *list) keys.merge(keys_of(table, one));
  } else if (const auto* name = std::get_if<std::string>(&use.data)) {
    const auto names = options_of(table, *name, use.origin)->names();
    keys.insert(names.begin(), names.end());
  }
  return keys;
}

bool is_sweep(const Value& value, bool wants_list) {
  const auto* list = std::get_if<Value::List>(&value.data);
  if (!list) return false;
  if (!wants_list) return true;
  return !list->empty() && std::holds_alternative<Value::List>(list->front().data);
}

/// What a swept value adds to the folder's name: readable, and safe as a file name.
std::string label(const Value& value) {
  const auto* word = std::get_if<std::string>(&value.data);
  std::string text = word ? *word : value.text();
  for (char& c : text) {
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '.') c = '_';
  }
  return text;
}

/// The first swept key as (table, key), `use` before others; "" where nothing is swept.
std::pair<std::string, std::string> first_sweep(const Settings& settings) {
  for (const auto& table : settings.tables()) {
    const Value* use = table.find("use");
    if (use && is_known(table.name) && is_sweep(*use, false)) return {table.name, "use"};
  }
  for (const auto& table : settings.tables()) {
    if (!is_known(table.name)) continue;
    const Value* use = table.find("use");
    const auto* chosen = use ? std::get_if<std::string>(&use->data) : nullptr;
    const auto fallback = default_use.find(table.name);
    const auto options = options_of(table.name,
                                    chosen                          ? *chosen
                                    : fallback == default_use.end() ? ""
                                                                    : fallback->second,
                                    use ? use->origin : "default");
    for (const auto& [key, value] : table.values()) {
      for (const auto& entry : options->entries()) {
        if (entry.name == key && is_sweep(value, entry.is_list)) return {table.name, key};
      }
    }
  }
  return {};
}

void expand_into(const Settings& settings, const std::string& name, std::vector<Point>& points) {
  const auto [table, key] = first_sweep(settings);
  if (table.empty()) {
    points.push_back({settings, name});
    return;
  }
  const Value all = *settings.find(table)->find(key);
  const auto& list = std::get<Value::List>(all.data);
  if (list.empty())
    throw Error(rfs::format("{}: {}.{} must sweep over at least one value, got []", all.origin, table, key));
  Settings unswept = settings;
  unswept.table(table).set(key, {});
  const auto known = key == "use" ? keys_of(table, all) : std::set<std::string>();
  for (const Value& value : list) {
    Settings one = unswept;
    one.table(table).set(key, value);
    if (key == "use") {
      const auto own = keys_of(table, value);
      one.table(table).erase_if([&](const std::string& other, const Value&) {
        return other != "use" && known.contains(other) && !own.contains(other);
      });
    }
    expand_into(one, name + (name.empty() ? "" : "-") + label(value), points);
  }
}

}  // namespace

Experiment Experiment::read(const Settings& settings) {
  for (const auto& table : settings.tables()) {
    if (!is_known(table.name)) {
      const std::string where = table.origin.empty() ? table.values().front().second.origin : table.origin;
      const bool of_the_paper = plan_file(settings) != PlanFile::settings;
      throw Error(where + ": " + unknown("table", table.name, table_names) +
                  (of_the_paper ? "; this file is for `rfs reproduce`, see rfs show" : ""));
    }
  }
  Experiment experiment;
  experiment.positions = Choice<PositionIndexing>::read(settings.find("positions"), default_use.at("positions"));
  experiment.encoding = Choice<PositionEncoding>::read(settings.find("encoding"), default_use.at("encoding"));
  experiment.task = Choice<Task>::read(settings.find("task"), default_use.at("task"));
  experiment.tokenizer = Choice<Tokenizer>::read(settings.find("tokenizer"), default_use.at("tokenizer"));
  experiment.model = DecoderOptions::read(settings.find("model"));
  experiment.train = TrainOptions::read(settings.find("train"));
  if (const auto* table = settings.find("eval")) experiment.eval.read(*table);
  return experiment;
}

void Experiment::visit(const Visitor& body) const {
  body("positions", positions.use, positions.origin, *positions.options);
  body("encoding", encoding.use, encoding.origin, *encoding.options);
  body("task", task.use, task.origin, *task.options);
  body("tokenizer", tokenizer.use, tokenizer.origin, *tokenizer.options);
  body("model", "", "", model);
  body("train", "", "", train);
  body("eval", "", "", eval);
}

std::string Experiment::toml() const {
  std::string text;
  for (const auto& table : table_names) text += rfs::format("{}[{}]\n{}", text.empty() ? "" : "\n", table, toml(table));
  return text;
}

std::string Experiment::toml(const std::string& wanted) const {
  std::string text;
  visit([&](const std::string& table, const std::string& use, const std::string&, const Options& options) {
    if (table != wanted) return;
    if (!use.empty()) text += rfs::format("use = {}\n", quoted(use));
    for (const auto& entry : options.entries())
      text += rfs::format("{} = {}\n", entry.name, options.value(entry).text());
  });
  return text;
}

Data::Data(const Experiment& experiment)
    : task(experiment.task.make()),
      tokenizer(experiment.tokenizer.make()),
      tokenizer_settings(experiment.toml("tokenizer")) {
  tokenizer->learn(task->vocabulary());
}

Examples Data::examples(Split split) const {
  if (const auto ready = task->examples(split, *tokenizer)) return *ready;
  const auto path = task->examples_file(split);
  std::error_code ignored;
  if (!path.empty() && std::filesystem::exists(path, ignored)) {
    auto file = map_examples(path);
    const bool fits = file.tokenizer == tokenizer_settings || tokenizer->takes_any_ids();
    const auto texts = std::filesystem::path(path).replace_extension(".jsonl");
    const bool other_texts = std::filesystem::exists(texts, ignored) && file.samples != file_sha256(texts);
    if (fits && !other_texts) {
      const int32_t end = end_of(file.examples, path).value_or(tokenizer->end());
      if (file.vocabulary == tokenizer->size() && end == tokenizer->end()) return file.examples;
      if (tokenizer->takes_any_ids()) {
        throw Error(rfs::format(
            "{}: has {} ids and ends answers with id {}, but tokenizer.size is {} and tokenizer.end is {}; "
            "add --set tokenizer.size={} --set tokenizer.end={}",
            path.string(), file.vocabulary, end, tokenizer->size(), tokenizer->end(), file.vocabulary, end));
      }
    } else if (tokenizer->takes_any_ids()) {
      throw Error(rfs::format("{}: must be made of {} as it is now, got ids of other texts", path.string(),
                              texts.filename().string()));
    }
  }
  return tokenize(samples(split), *tokenizer);
}

std::vector<Point> expand(const Settings& settings) {
  std::vector<Point> points;
  expand_into(settings, "", points);
  std::set<std::string> names;
  for (const Point& point : points) {
    if (!names.insert(point.name).second) {
      throw Error(rfs::format("sweep: its values must differ, got two runs named '{}'", shortened(point.name)));
    }
  }
  return points;
}

Settings read_settings(const std::filesystem::path& file, const std::vector<std::string>& assignments) {
  return assigned(file.empty() ? Settings() : Settings::from_file(file), assignments);
}

Settings assigned(const Settings& written, const std::vector<std::string>& assignments) {
  Settings settings = written;
  for (const auto& assignment : assignments) settings.assign(assignment);
  for (const auto& table : written.tables()) {
    const Value *before = table.find("use"), *found = settings.find(table.name)->find("use");
    if (!default_use.contains(table.name) || !found || (before && *before == *found)) continue;
    // Another choice than the file's: the file's keys for its own choice are not for this one.
    const auto known = keys_of(table.name, *found);
    settings.table(table.name).erase_if([&](const std::string& key, const Value& value) {
      const Value* in_file = table.find(key);
      return key != "use" && in_file && in_file->origin == value.origin && !known.contains(key);
    });
  }
  return settings;
}

std::filesystem::path experiments_folder() {
  std::error_code ignored;
  if (const char* chosen = std::getenv("RFS_EXPERIMENTS"); chosen && *chosen) return chosen;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", ignored);
  const auto installed = program.parent_path().parent_path() / "share/rfs/experiments";
  for (const auto& folder : {installed, std::filesystem::path(RFS_EXPERIMENTS)}) {
    if (std::filesystem::exists(folder / "demo.toml", ignored)) return folder;
  }
  throw Error(rfs::format("experiments: must be in {} or {}, got neither", installed.string(), RFS_EXPERIMENTS));
}

}  // namespace rfs
