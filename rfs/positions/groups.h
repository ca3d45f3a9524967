#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace rfs {

/// Tells which tokens of a row belong together, such as digits of the same significance. A task provides it.
class TokenGroups {
 public:
  virtual ~TokenGroups() = default;

  /// Group numbers of the first `count` tokens of a row that begins with `tokens`; 0 for tokens without a group.
  /// `count` may exceed the number of tokens, for an answer that is still to come.
  virtual std::vector<int64_t> groups(std::span<const int32_t> tokens, int64_t count) const = 0;
};

}  // namespace rfs
