#include "rfs/run/sweep.h"

#include <cctype>
#include <set>

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/run/tables.h"

namespace rfs {
namespace {

bool is_sweep(const Value& value, bool wants_list) {
  const auto* list = std::get_if<Value::List>(&value.data);
  if (!list) return false;
  if (!wants_list) return true;
  return !list->empty() && std::holds_alternative<Value::List>(list->front().data);
}

/// What a swept value adds to the folder's name: readable and valid as a file name.
std::string label(const Value& value) {
  const auto* word = std::get_if<std::string>(&value.data);
  std::string text = word ? *word : value.text();
  for (char& c : text) {
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '.') c = '_';
  }
  return text;
}

/// The choice of a table without `use`: for a layer kind that of the model's table, else the default.
std::string use_below(const Settings& settings, const std::string& table) {
  const auto* of_model = table.starts_with("layers.") ? settings.find(table.substr(table.rfind('.') + 1)) : nullptr;
  const Value* use = of_model ? of_model->find("use") : nullptr;
  const auto* chosen = use ? std::get_if<std::string>(&use->data) : nullptr;
  return chosen ? *chosen : default_use(table);
}

/// The first swept key as (table, key), `use` first; "" if nothing is swept.
std::pair<std::string, std::string> first_sweep(const Settings& settings) {
  for (const auto& table : settings.tables()) {
    const Value* use = table.find("use");
    if (use && is_settings_table(table.name) && is_sweep(*use, false)) return {table.name, "use"};
  }
  for (const auto& table : settings.tables()) {
    if (!is_settings_table(table.name)) continue;
    const Value* use = table.find("use");
    const auto* chosen = use ? std::get_if<std::string>(&use->data) : nullptr;
    const auto options =
        table_options(table.name, chosen ? *chosen : use_below(settings, table.name), use ? use->origin : "default");
    for (const auto& [key, value] : table.values()) {
      for (const auto& entry : options->entries()) {
        if (entry.name == key && is_sweep(value, entry.is_list)) return {table.name, key};
      }
    }
  }
  return {};
}

void expand_into(const Settings& settings, const std::string& name, std::vector<SweepPoint>& points) {
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
  const auto known = key == "use" ? choice_keys(table, all) : std::set<std::string>();
  for (const Value& value : list) {
    Settings one = unswept;
    one.table(table).set(key, value);
    if (key == "use") {
      const auto own = choice_keys(table, value);
      one.table(table).erase_if([&](const std::string& other, const Value&) {
        return other != "use" && known.contains(other) && !own.contains(other);
      });
    }
    expand_into(one, name + (name.empty() ? "" : "-") + label(value), points);
  }
}

}  // namespace

std::vector<SweepPoint> expand(const Settings& settings) {
  std::vector<SweepPoint> points;
  expand_into(settings, "", points);
  std::set<std::string> names;
  for (const SweepPoint& point : points) {
    if (!names.insert(point.name).second) {
      throw Error(rfs::format("sweep: its values must differ, got two runs named '{}'", shortened(point.name)));
    }
  }
  return points;
}

}  // namespace rfs
