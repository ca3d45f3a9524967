#pragma once

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

namespace rfs {

/// Levenshtein distance: the smallest number of insertions, deletions and replacements that turn `a` into `b`.
template <class T>
size_t edit_distance(std::span<const T> a, std::span<const T> b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0]++;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

}  // namespace rfs
