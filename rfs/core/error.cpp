#include "rfs/core/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace rfs {
namespace {

size_t edit_distance(std::string_view a, std::string_view b) {
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

}  // namespace

std::string join(std::span<const std::string> words, std::string_view separator) {
  return fmt::format("{}", fmt::join(words.begin(), words.end(), separator));
}

std::string unknown(std::string_view kind, std::string_view given, std::span<const std::string> known) {
  std::string hint;
  size_t nearest = std::max<size_t>(2, given.size() / 3) + 1;
  for (const auto& name : known) {
    if (const size_t distance = edit_distance(given, name); distance < nearest) {
      nearest = distance;
      hint = fmt::format(" (did you mean '{}'?)", name);
    }
  }
  std::string shown(given.substr(0, 80));  // one line, whatever was given
  std::replace_if(
      shown.begin(), shown.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
  return fmt::format("unknown {} '{}'{}; known: {}", kind, shown, hint, join(known));
}

}  // namespace rfs
