#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rfs/core/value.h"

namespace rfs {

/// The keys of one `[table]`, in the order they were written.
class Table {
 public:
  explicit Table(std::string given) : name(std::move(given)) {}

  std::string name;
  std::string origin;  ///< where its header was written

  const std::vector<std::pair<std::string, Value>>& values() const { return values_; }  ///< in written order
  const Value* find(std::string_view key) const;  ///< null if the table does not have the key
  void set(const std::string& key, Value value);  ///< adds a key, or replaces its value
  void erase_if(const std::function<bool(const std::string& key, const Value& value)>& unwanted);  ///< removes keys

 private:
  std::vector<std::pair<std::string, Value>> values_;
  std::map<std::string, size_t, std::less<>> places_;  // by key
};

/// The settings as the user wrote them: tables of keys, each value with its origin. They are not checked against
/// options yet.
class Settings {
 public:
  /// Reads a TOML file. Throws Error with file and line.
  static Settings from_file(const std::filesystem::path& path);

  /// Parses TOML text; `name` appears in messages and origins.
  static Settings from_text(std::string_view text, const std::string& name);

  /// Applies one `table.key=value`. The value is TOML; a bare word, on its own or in a list, is a string.
  void assign(const std::string& assignment);

  const Table* find(std::string_view table) const;              ///< null if there is no such table
  Table& table(const std::string& name);                        ///< added if there is no such table
  const std::vector<Table>& tables() const { return tables_; }  ///< in written order

 private:
  std::vector<Table> tables_;
  std::map<std::string, size_t, std::less<>> places_;  // by name
};

}  // namespace rfs
