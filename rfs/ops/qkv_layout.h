#pragma once

#include <cstdint>

namespace rfs {

/// Layout of a token's queries, keys and values in one row: [heads * E | kv_heads * E | kv_heads * E], head after head.
/// With grouped-query attention (kv_heads < heads), query head h uses key and value head h / group().
struct QkvLayout {
  int64_t heads = 0, kv_heads = 0, head_width = 0;

  int64_t query_width() const { return heads * head_width; }
  int64_t kv_width() const { return kv_heads * head_width; }
  int64_t width() const { return query_width() + 2 * kv_width(); }
  int64_t key_begin() const { return query_width(); }
  int64_t value_begin() const { return query_width() + kv_width(); }
  int64_t group() const { return heads / kv_heads; }
};

}  // namespace rfs
