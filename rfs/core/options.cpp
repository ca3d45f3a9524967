#include "rfs/core/options.h"

#include <algorithm>

#include "rfs/core/error.h"
#include "rfs/core/format.h"

namespace rfs {

Rule<std::string> one_of(std::vector<std::string> names) {
  std::string words = "be one of " + join(names);
  return {std::move(words), [names = std::move(names)](const std::string& value) {
            return std::find(names.begin(), names.end(), value) != names.end();
          }};
}

Rule<std::vector<int64_t>> interval(int64_t low, int64_t high) {
  return {rfs::format("be [first, last] with {} <= first <= last <= {}", low, high),
          [low, high](const std::vector<int64_t>& value) {
            return value.size() == 2 && value[0] >= low && value[0] <= value[1] && value[1] <= high;
          }};
}

std::vector<std::string> Options::names() const {
  std::vector<std::string> names;
  for (const auto& entry : entries_) names.push_back(entry.name);
  return names;
}

void Options::read(const Table& table, const std::string& taken) {
  for (const auto& [key, value] : table.values()) {
    if (taken.empty() || key != taken) set(table.name, key, value, taken);
  }
}

void Options::set(const std::string& table, const std::string& key, const Value& value, const std::string& taken) {
  const auto entry = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.name == key; });
  if (entry == entries_.end()) {
    auto known = names();
    if (known.empty())
      throw Error(
          rfs::format("{}: {}: this choice has no options; remove the key '{}'", value.origin, table, shortened(key)));
    if (!taken.empty()) known.insert(known.begin(), taken);
    for (auto& name : known) name = table + "." + name;
    throw Error(rfs::format("{}: {}", value.origin, unknown("key", table + "." + key, known)));
  }
  if (const std::string rule = entry->set(at(*entry), value); !rule.empty()) {
    throw Error(rfs::format("{}: {}.{} must {}, got {}", value.origin, table, key, rule, shortened(value.text())));
  }
  entry->origin = value.origin;
}

template class Field<bool>;
template class Field<int64_t>;
template class Field<double>;
template class Field<std::string>;
template class Field<std::vector<int64_t>>;

}  // namespace rfs
