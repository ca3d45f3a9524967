#include "rfs/suite/long_task.h"

#include <algorithm>
#include <cctype>

namespace rfs {
namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace

double LongTask::score(const std::string& given, const std::vector<std::string>& references) const {
  const std::string text = lower(given);
  const auto found = std::count_if(references.begin(), references.end(), [&](const std::string& reference) {
    return text.find(lower(reference)) != std::string::npos;
  });
  return static_cast<double>(found) / static_cast<double>(references.size());
}

}  // namespace rfs
