#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "rfs/core/settings.h"

namespace rfs {

/// A condition on a value, with the words that follow "must" in messages. Numbers must also be finite.
template <class T>
struct Rule {
  std::string words;  ///< "be at least 1"
  std::function<bool(const T&)> holds;
};

/// The value must be `low` or larger.
template <class T, class Low>
Rule<T> at_least(Low low);
/// The value must be larger than `low`.
template <class T, class Low>
Rule<T> above(Low low);
/// The value must be from `low` to `high`.
template <class T>
Rule<T> between(T low, T high);
/// The value must be one of the names.
Rule<std::string> one_of(std::vector<std::string> names);
/// A list [first, last] with low <= first <= last <= high.
Rule<std::vector<int64_t>> interval(int64_t low, int64_t high);

/// Base of a list of options. A derived struct declares each field once, on one line. That line gives the field's
/// default, help text, parsing, printing and record:
///
///   struct Options : rfs::Options {
///     Field<double> range{this, "range", 1000.0, "width L of the interval of positions", above<double>(0.0)};
///   };
///
/// Copies are independent, because an entry stores the field's offset inside the struct, not its address.
class Options {
 public:
  /// One field.
  struct Entry {
    std::string name;
    std::string help;
    std::string type;    ///< "integer", "number", "boolean", "string", "list of integers", "list of numbers"
    std::string words;   ///< the rule in words, "" if none
    std::string origin;  ///< where the current value comes from
    bool is_list = false;
    std::ptrdiff_t offset = 0;  ///< of the field in the struct
    std::function<Value(const void*)> get;
    std::function<std::string(void*, const Value&)> set;  ///< returns the rule it breaks, "" if it was set
  };

  virtual ~Options() = default;

  /// Sets every key of `table` except `taken`, which other code reads. Throws Error for an unknown key, a wrong type or
  /// a broken rule.
  void read(const Table& table, const std::string& taken = "");
  /// The same for one key; `table` is the table's name, for messages.
  void set(const std::string& table, const std::string& key, const Value& value, const std::string& taken = "");

  const std::vector<Entry>& entries() const { return entries_; }          ///< the fields, in the order of declaration
  Value value(const Entry& entry) const { return entry.get(at(entry)); }  ///< the value of a field
  std::vector<std::string> names() const;                                 ///< the names of the fields

 private:
  template <class T>
  friend class Field;
  const void* at(const Entry& entry) const { return reinterpret_cast<const std::byte*>(this) + entry.offset; }
  void* at(const Entry& entry) { return reinterpret_cast<std::byte*>(this) + entry.offset; }

  std::vector<Entry> entries_;
};

/// The name of an enum value. An enum with values 0, 1, 2, ... can be a field if `enum_names` lists their names:
///
///   enum class Norm { rms, layer };
///   constexpr auto enum_names(Norm) { return std::array<std::string_view, 2>{"rms", "layer"}; }
template <class Enum>
std::string enum_name(Enum value) {
  return std::string(enum_names(value)[static_cast<size_t>(value)]);
}

/// One field of a list of options: a value with its name, help text and rule. T is bool, int64_t, double, std::string,
/// std::vector<int64_t>, std::vector<double> or an enum with names.
template <class T>
class Field {
 public:
  Field(Options* owner, std::string name, T initial, std::string help, Rule<T> rule = {});

  operator const T&() const { return value_; }
  const T& operator*() const { return value_; }
  const T* operator->() const { return &value_; }
  Field& operator=(T value) {
    value_ = std::move(value);
    return *this;
  }

 private:
  T value_;
};

/// For implementations without options.
struct NoOptions : Options {};

}  // namespace rfs

#include "rfs/core/options_inline.h"
