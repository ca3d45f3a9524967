#include "rfs/tasks/task.h"

namespace rfs {

bool Task::right(const std::string& given, const std::string& expected) const {
  const auto trimmed = [](const std::string& text) {
    const auto begin = text.find_first_not_of(" \t\n"), end = text.find_last_not_of(" \t\n");
    return begin == std::string::npos ? std::string() : text.substr(begin, end - begin + 1);
  };
  return trimmed(given) == trimmed(expected);
}

std::string digits_after(const std::string& text, const std::string& marker) {
  std::string digits;
  const auto at = text.find(marker);
  if (at == std::string::npos) return digits;
  for (size_t i = at + marker.size(); i < text.size(); ++i) {
    if (text[i] == ' ') continue;
    if (text[i] < '0' || text[i] > '9') break;
    digits += text[i];
  }
  return digits;
}

}  // namespace rfs
