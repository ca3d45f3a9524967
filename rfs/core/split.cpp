#include "rfs/core/split.h"

#include <algorithm>

namespace rfs {

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

std::vector<std::string_view> split_words(std::string_view text) {
  constexpr std::string_view space = " \t\n\v\f\r";
  std::vector<std::string_view> words;
  for (size_t begin = 0; (begin = text.find_first_not_of(space, begin)) != std::string_view::npos;) {
    const size_t end = std::min(text.find_first_of(space, begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return words;
}

}  // namespace rfs
