#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "rfs/core/options.h"
#include "rfs/core/settings.h"

namespace rfs {

/// The tables of a run's settings, in the order they are recorded.
const std::vector<std::string>& settings_tables();
bool is_settings_table(const std::string& name);

/// What a table's `use` is if nobody writes it; "" for a table without a choice.
std::string default_use(const std::string& table);

/// The options of a table under a choice; `where` is the place the choice was written at. Throws Error for an unknown
/// choice.
std::unique_ptr<Options> table_options(const std::string& table, const std::string& use, const std::string& where);

/// The keys of a choice, or of all in a list of choices. Throws Error for an unknown choice.
std::set<std::string> choice_keys(const std::string& table, const Value& use);

}  // namespace rfs
