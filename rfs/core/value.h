#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace rfs {

/// One setting as the user wrote it, with the place it was written at.
struct Value {
  using List = std::vector<Value>;

  std::variant<bool, int64_t, double, std::string, List> data;
  std::string origin;  ///< "demo.toml:12", "--set train.steps", "preset tiny", "default"

  /// The TOML spelling, which for these kinds is the JSON spelling too.
  std::string text() const;

  bool operator==(const Value& other) const { return data == other.data; }
};

/// A string in double quotes with TOML's (and JSON's) escapes.
std::string quoted(const std::string& text);

}  // namespace rfs
