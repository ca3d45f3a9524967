#pragma once

// Template definitions for options.h.

#include <algorithm>
#include <cstdint>
#include <iomanip>
#include <limits>
#include <optional>
#include <sstream>
#include <type_traits>

namespace rfs {
namespace detail {

template <class T>
std::string number_text(T value) {
  std::ostringstream out;
  out << std::setprecision(7) << value;  // enough digits to print .9999999 as such
  return out.str();
}

template <class T>
constexpr bool is_list = std::is_same_v<T, std::vector<int64_t>> || std::is_same_v<T, std::vector<double>>;

template <class T>
std::optional<T> take(const Value& value) {
  if constexpr (std::is_enum_v<T>) {
    const auto* word = std::get_if<std::string>(&value.data);
    const auto names = enum_names(T{});
    const auto it = word ? std::find(names.begin(), names.end(), *word) : names.end();
    return it == names.end() ? std::nullopt : std::optional<T>(static_cast<T>(it - names.begin()));
  } else if constexpr (is_list<T>) {
    const auto* list = std::get_if<Value::List>(&value.data);
    if (!list) return std::nullopt;
    T out;
    for (const auto& element : *list) {
      const auto taken = take<typename T::value_type>(element);
      if (!taken) return std::nullopt;
      out.push_back(*taken);
    }
    return out;
  } else {
    if constexpr (std::is_same_v<T, double>) {
      if (const auto* integer = std::get_if<int64_t>(&value.data)) return static_cast<double>(*integer);
    }
    const auto* held = std::get_if<T>(&value.data);
    return held ? std::optional<T>(*held) : std::nullopt;
  }
}

template <class T>
Value give(const T& value) {
  if constexpr (std::is_enum_v<T>) {
    return {enum_name(value), {}};
  } else if constexpr (is_list<T>) {
    Value::List list;
    for (const auto element : value) list.push_back(Value{element, {}});
    return {list, {}};
  } else {
    return {value, {}};
  }
}

template <class T>
constexpr const char* type_name() {
  if constexpr (std::is_same_v<T, bool>) return "boolean";
  if constexpr (std::is_same_v<T, int64_t>) return "integer";
  if constexpr (std::is_same_v<T, double>) return "number";
  if constexpr (std::is_same_v<T, std::string> || std::is_enum_v<T>) return "string";
  if constexpr (std::is_same_v<T, std::vector<int64_t>>) return "list of integers";
  if constexpr (std::is_same_v<T, std::vector<double>>) return "list of numbers";
}

}  // namespace detail

template <class T, class Low>
Rule<T> at_least(Low low) {
  return {"be at least " + detail::number_text(low),
          [low](const T& value) { return value >= static_cast<T>(low) && value <= std::numeric_limits<T>::max(); }};
}

template <class T, class Low>
Rule<T> above(Low low) {
  return {"be above " + detail::number_text(low),
          [low](const T& value) { return value > static_cast<T>(low) && value <= std::numeric_limits<T>::max(); }};
}

template <class T>
Rule<T> between(T low, T high) {
  return {"be between " + detail::number_text(low) + " and " + detail::number_text(high),
          [low, high](const T& value) { return value >= low && value <= high; }};
}

template <class T>
Field<T>::Field(Options* owner, std::string name, T initial, std::string help, Rule<T> rule)
    : value_(std::move(initial)) {
  if constexpr (std::is_enum_v<T>) {
    const auto names = enum_names(T{});
    rule.words = one_of(std::vector<std::string>(names.begin(), names.end())).words;
  }
  Options::Entry entry;
  entry.name = std::move(name);
  entry.help = std::move(help);
  entry.type = detail::type_name<T>();
  entry.words = rule.words;
  entry.origin = "default";
  entry.is_list = detail::is_list<T>;
  entry.offset = reinterpret_cast<std::byte*>(this) - reinterpret_cast<std::byte*>(owner);
  entry.get = [](const void* field) { return detail::give(**static_cast<const Field*>(field)); };
  entry.set = [rule = std::move(rule)](void* field, const Value& value) -> std::string {
    auto taken = detail::take<T>(value);
    if (!taken && std::is_enum_v<T> && std::holds_alternative<std::string>(value.data)) return rule.words;
    if (!taken) return std::string(std::is_same_v<T, int64_t> ? "be an " : "be a ") + detail::type_name<T>();
    if (rule.holds && !rule.holds(*taken)) return rule.words;
    *static_cast<Field*>(field) = std::move(*taken);
    return "";
  };
  owner->entries_.push_back(std::move(entry));
}

// Compiled once, in options.cpp.
extern template class Field<bool>;
extern template class Field<int64_t>;
extern template class Field<double>;
extern template class Field<std::string>;
extern template class Field<std::vector<int64_t>>;
extern template class Field<std::vector<double>>;

}  // namespace rfs
