#include "rfs/run/stored_settings.h"

#include <algorithm>
#include <vector>

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/core/version.h"
#include "rfs/run/tables.h"

namespace rfs {
namespace {

/// Only the tables of a run; records of scores have more.
Settings run_tables(const Settings& all) {
  Settings settings;
  for (const Table& table : all.tables()) {
    if (!is_settings_table(table.name)) continue;
    settings.table(table.name) = table;
  }
  return settings;
}

/// A key and its value, as TOML.
struct Line {
  std::string table, text;
};
std::vector<Line> lines(const RunSettings& settings) {
  std::vector<Line> lines;
  settings.visit([&](const std::string& table, const std::string& use, const std::string&, const Options& options) {
    if (!use.empty()) lines.push_back({table, rfs::format("use = {}", quoted(use))});
    for (const auto& entry : options.entries()) {
      lines.push_back({table, rfs::format("{} = {}", entry.name, options.value(entry).text())});
    }
  });
  return lines;
}

}  // namespace

RunSettings stored_run_settings(const std::string& toml, const std::string& where,
                                const std::vector<std::string>& assignments, const Settings& changes) {
  const auto settings = Settings::from_text(toml, where);
  RunSettings stored;
  try {
    stored = RunSettings::read(settings);
  } catch (const Error& error) {
    throw Error(
        rfs::format("{}; these settings were written by another version of rfs than this one ({}); use that version",
                    error.what(), version));
  }
  if (assignments.empty() && changes.tables().empty()) return stored;
  return RunSettings::read(assigned(settings, assignments, changes));
}

std::optional<SettingsDifference> first_difference(const RunSettings& first, const RunSettings& second,
                                                   bool trained_part) {
  // Both are resolved, so tables with the same choice have the same keys in the same order. A different choice shows in
  // the table's first line.
  const auto a = lines(first), b = lines(second);
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (a[i].table != b[i].table) {  // one of them has a table of a layer kind that the other one lacks
      return SettingsDifference{a[i].table, a[i].text, rfs::format("[{}] {}", b[i].table, b[i].text)};
    }
    if (trained_part && a[i].table == "eval") break;
    if (a[i].text != b[i].text) return SettingsDifference{a[i].table, a[i].text, b[i].text};
  }
  return std::nullopt;
}

std::string with_todays_defaults(const std::string& toml) {
  try {
    return RunSettings::read(Settings::from_text(toml, "settings")).toml();
  } catch (const Error&) {
    return toml;
  }
}

bool has_settings(const std::string& toml, const RunSettings& settings) {
  try {
    return !first_difference(RunSettings::read(run_tables(Settings::from_text(toml, "settings"))), settings);
  } catch (const Error&) {
    return false;
  }
}

}  // namespace rfs
