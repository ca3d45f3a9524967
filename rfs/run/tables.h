#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "rfs/core/options.h"
#include "rfs/core/settings.h"

namespace rfs {

/// The tables of a run's settings, in the order in which they are stored.
const std::vector<std::string>& settings_tables();
bool is_settings_table(const std::string& name);

/// The default of a table's `use`; "" for a table without a choice.
std::string default_use(const std::string& table);

/// The options of a table for the choice `use`. `where` says where the choice was written. Throws Error for an unknown
/// choice.
std::unique_ptr<Options> table_options(const std::string& table, const std::string& use, const std::string& where);

/// The keys of a choice, or of all choices in a list. Throws Error for an unknown choice.
std::set<std::string> choice_keys(const std::string& table, const Value& use);

}  // namespace rfs
