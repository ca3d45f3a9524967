#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rfs/run/settings.h"

namespace rfs {

/// Reads settings that rfs wrote. Missing keys get today's defaults, so an option added later changes nothing for old
/// runs. `where` names the file. Applies changes and then assignments (table.key=value). If another version wrote
/// something unknown, throws an Error that says so.
RunSettings stored_run_settings(const std::string& toml, const std::string& where,
                                const std::vector<std::string>& assignments = {}, const Settings& changes = {});

/// A setting in which two runs differ, as TOML: [train], "steps = 100", "steps = 200".
struct SettingsDifference {
  std::string table, first, second;
};

/// The first setting whose value differs, table by table; empty if all are equal. With `trained_part`, ignores [eval],
/// which does not change what is trained.
std::optional<SettingsDifference> first_difference(const RunSettings& first, const RunSettings& second,
                                                   bool trained_part = false);

/// The same settings with today's default for each missing key. A text that this version cannot read is returned
/// unchanged.
std::string with_todays_defaults(const std::string& toml);

/// True if a text that rfs wrote has the same values as `settings`. False for a text that this version cannot read.
bool has_settings(const std::string& toml, const RunSettings& settings);

}  // namespace rfs
