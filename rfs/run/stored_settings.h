#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rfs/run/settings.h"

namespace rfs {

/// The settings of a text that rfs wrote, with today's default for each key that the text lacks: an option that was
/// added later changes nothing for old runs. `where` names the file; assignments (table.key=value) are applied. Throws
/// Error that says so where another version wrote something that this one does not know.
RunSettings stored_run_settings(const std::string& toml, const std::string& where,
                                const std::vector<std::string>& assignments = {});

/// A setting that two runs do not share, as TOML: [train], "steps = 100", "steps = 200".
struct SettingsDifference {
  std::string table, first, second;
};

/// The first setting that differs by value, table by table; nothing where all are equal. `trained_part`: [eval], which
/// does not change what is trained, is left out.
std::optional<SettingsDifference> first_difference(const RunSettings& first, const RunSettings& second,
                                                   bool trained_part = false);

/// The same settings with today's default for each key that the text lacks; a text that this version cannot read stays
/// as it is.
std::string with_todays_defaults(const std::string& toml);

/// Whether a text that rfs wrote has these settings by value. A text that this version cannot read has others.
bool has_settings(const std::string& toml, const RunSettings& settings);

}  // namespace rfs
