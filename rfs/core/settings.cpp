#include "rfs/core/settings.h"

#include <toml++/toml.h>

#include <algorithm>
#include <cctype>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"

namespace rfs {
namespace {

Value convert(const toml::node& node, const std::string& origin, const std::string& where) {
  if (const auto* b = node.as_boolean()) return {b->get(), origin};
  if (const auto* i = node.as_integer()) return {i->get(), origin};
  if (const auto* f = node.as_floating_point()) return {f->get(), origin};
  if (const auto* s = node.as_string()) return {s->get(), origin};
  if (const auto* array = node.as_array()) {
    Value::List list;
    for (const auto& element : *array) list.push_back(convert(element, origin, where));
    return {std::move(list), origin};
  }
  throw Error(rfs::format("{}: {}: must be a boolean, number, string or list, got {}", origin, where,
                          node.is_table() ? "a table" : "a date or time"));
}

bool is_one_of(char c, std::string_view signs) {
  return signs.find(c) != std::string_view::npos;
}

/// The size of the word at the beginning: a letter or one of `first`, then letters, digits or characters of `later`.
size_t word_size(std::string_view text, std::string_view first, std::string_view later) {
  const auto byte = [](char c) { return static_cast<unsigned char>(c); };
  if (text.empty() || (!std::isalpha(byte(text[0])) && !is_one_of(text[0], first))) return 0;
  size_t size = 1;
  while (size < text.size() && (std::isalnum(byte(text[size])) || is_one_of(text[size], later))) ++size;
  return size;
}

/// Puts quotes around the elements of a list that are bare words.
std::string with_words_quoted(std::string_view list) {
  const auto after_space = [&](size_t at) { return std::min(list.find_first_not_of(" \t\r\n\f\v", at), list.size()); };
  std::string text;
  for (size_t at = 0; at < list.size();) {
    text += list[at];
    if (!is_one_of(list[at++], "[,")) continue;
    const size_t begin = after_space(at), end = begin + word_size(list.substr(begin), "_", "_.-"),
                 next = after_space(end);
    if (end == begin || next == list.size() || !is_one_of(list[next], ",]")) continue;
    text += list.substr(at, begin - at);
    text += quoted(std::string(list.substr(begin, end - begin)));
    at = end;
  }
  return text;
}

/// The entries of a table in the order they were written. Sweeps, records and messages need it; toml++ sorts keys.
std::vector<std::pair<const toml::node*, std::string>> by_place(const toml::table& table) {
  std::vector<std::pair<const toml::node*, std::string>> entries;
  for (const auto& [key, node] : table) entries.emplace_back(&node, std::string(key.str()));
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    const auto pa = a.first->source().begin, pb = b.first->source().begin;
    return std::pair(pa.line, pa.column) < std::pair(pb.line, pb.column);
  });
  return entries;
}

/// Only [layers] has nested tables: they become tables named layers.L and layers.L.positions.
bool nests(const std::string& table) {
  return table == "layers" || table.starts_with("layers.");
}

void add_table(Settings& settings, const toml::table& from, const std::string& table_name, const std::string& file) {
  settings.table(table_name).origin = rfs::format("{}:{}", file, from.source().begin.line);
  for (const auto& [value, key] : by_place(from)) {
    if (nests(table_name) && value->is_table()) {
      add_table(settings, *value->as_table(), table_name + "." + key, file);
      continue;
    }
    const auto origin = rfs::format("{}:{}", file, value->source().begin.line);
    settings.table(table_name).set(key, convert(*value, origin, table_name + "." + key));
  }
}

}  // namespace

const Value* Table::find(std::string_view key) const {
  const auto it = places_.find(key);
  return it == places_.end() ? nullptr : &values_[it->second].second;
}

void Table::set(const std::string& key, Value value) {
  const auto [it, is_new] = places_.try_emplace(key, values_.size());
  if (is_new) {
    values_.emplace_back(key, std::move(value));
  } else {
    values_[it->second].second = std::move(value);
  }
}

void Table::erase_if(const std::function<bool(const std::string&, const Value&)>& unwanted) {
  std::erase_if(values_, [&](const auto& entry) { return unwanted(entry.first, entry.second); });
  places_.clear();
  for (size_t i = 0; i < values_.size(); ++i) places_.emplace(values_[i].first, i);
}

Settings Settings::from_file(const std::filesystem::path& path) {
  return from_text(read_file(path), path.string());
}

Settings Settings::from_text(std::string_view text, const std::string& name) {
  toml::table root;
  try {
    root = toml::parse(text, name);
  } catch (const toml::parse_error& error) {
    const auto begin = error.source().begin;
    throw Error(rfs::format("{}:{}:{}: not valid TOML: {}", name, begin.line, begin.column, error.description()));
  }
  Settings settings;
  for (const auto& [node, table_name] : by_place(root)) {
    if (!node->is_table()) {
      throw Error(
          rfs::format("{}:{}: {}: must be in a table such as [train]", name, node->source().begin.line, table_name));
    }
    add_table(settings, *node->as_table(), table_name, name);
  }
  return settings;
}

void Settings::assign(const std::string& assignment) {
  const auto equals = assignment.find('=');
  const auto path = assignment.substr(0, equals);
  const auto dot = nests(path.substr(0, path.find('.'))) ? path.rfind('.') : path.find('.');
  if (equals == std::string::npos || dot == std::string::npos || dot == 0 || dot + 1 == path.size()) {
    throw Error(rfs::format("--set: must be table.key=value, got '{}'", shortened(assignment)));
  }
  const auto text = assignment.substr(equals + 1);
  const auto origin = "--set " + path;
  // First as written, then with quotes around bare words or around a whole path.
  std::vector<std::string> spellings = {text};
  if (!text.empty() && word_size(text, "_./~", "_./~-") == text.size()) spellings.push_back(quoted(text));
  if (text.starts_with('[')) spellings.push_back(with_words_quoted(text));
  for (const auto& spelling : spellings) {
    try {
      const auto parsed = toml::parse("value = " + spelling + "\n");
      if (parsed.size() != 1) continue;
      table(path.substr(0, dot)).set(path.substr(dot + 1), convert(*parsed.get("value"), origin, path));
      return;
    } catch (const toml::parse_error&) {
    }
  }
  throw Error(rfs::format("{}: must be a TOML value or a bare word, got '{}'", origin, shortened(text)));
}

const Table* Settings::find(std::string_view name) const {
  const auto it = places_.find(name);
  return it == places_.end() ? nullptr : &tables_[it->second];
}

Table& Settings::table(const std::string& name) {
  const auto [it, is_new] = places_.try_emplace(name, tables_.size());
  return is_new ? tables_.emplace_back(name) : tables_[it->second];
}

}  // namespace rfs
