#include "rfs/core/error.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "rfs/core/edit_distance.h"

namespace rfs {

std::string join(std::span<const std::string> words, std::string_view separator) {
  return fmt::format("{}", fmt::join(words.begin(), words.end(), separator));
}

std::string unknown(std::string_view kind, std::string_view given, std::span<const std::string> known) {
  std::string hint;
  size_t nearest = std::max<size_t>(2, given.size() / 3) + 1;
  for (const auto& name : known) {
    if (const size_t distance = edit_distance<char>(given, name); distance < nearest) {
      nearest = distance;
      hint = fmt::format(" (did you mean '{}'?)", name);
    }
  }
  return fmt::format("unknown {} '{}'{}; known: {}", kind, one_line(std::string(given.substr(0, 80))), hint,
                     join(known));
}

std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
  return text;
}

std::string said_by_json(std::string_view what) {
  const auto end = what.starts_with("[json.exception") ? what.find("] ") : std::string_view::npos;
  return std::string(end == std::string_view::npos ? what : what.substr(end + 2));
}

}  // namespace rfs
