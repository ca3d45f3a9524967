#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>

namespace rfs {

/// Writes to standard error. A terminal that went away never stops a training run, so failures are ignored.
template <class... Arguments>
void say(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  const std::string text = fmt::format(format, std::forward<Arguments>(arguments)...);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

/// Writes to standard output; main looks for failures at the end.
template <class... Arguments>
void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  const std::string text = fmt::format(format, std::forward<Arguments>(arguments)...);
  std::fwrite(text.data(), 1, text.size(), stdout);
}

/// The first line of a message; the rest is for debuggers.
inline std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

}  // namespace rfs
