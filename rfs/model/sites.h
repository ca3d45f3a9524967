#pragma once

#include <cstdint>

namespace rfs {

/// Each dropout of a decoder has its own site number, so that no two use the same random words.
struct DropoutSites {
  static constexpr uint32_t embedding = 0, last = 1;
  static constexpr uint32_t attention(int64_t layer) { return 2 + 4 * static_cast<uint32_t>(layer); }
  static constexpr uint32_t attention_branch(int64_t layer) { return attention(layer) + 1; }
  static constexpr uint32_t feed_hidden(int64_t layer) { return attention(layer) + 2; }
  static constexpr uint32_t feed_branch(int64_t layer) { return attention(layer) + 3; }
};

}  // namespace rfs
