#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace rfs {

/// One setting as the user wrote it, with its origin.
struct Value {
  using List = std::vector<Value>;  ///< the values of a TOML array

  std::variant<bool, int64_t, double, std::string, List> data;
  std::string origin;  ///< "demo.toml:12", "--set train.steps", "preset tiny", "default"

  /// The value in TOML syntax, which for these types is also JSON syntax.
  std::string text() const;

  bool operator==(const Value& other) const { return data == other.data; }
};

/// The string in double quotes with TOML's (and JSON's) escapes.
std::string quoted(const std::string& text);

}  // namespace rfs
