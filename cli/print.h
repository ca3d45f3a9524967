#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "rfs/core/format.h"

namespace rfs {

/// Writes to standard error. A terminal that went away never stops a training run, so failures are ignored.
template <class... Arguments>
void say(FormatPattern<std::type_identity_t<Arguments>...> pattern, const Arguments&... arguments) {
  const std::string text = rfs::format(pattern, arguments...);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

/// Writes to standard output; main looks for failures at the end.
void print_text(std::string_view text);
template <class... Arguments>
void print(FormatPattern<std::type_identity_t<Arguments>...> pattern, const Arguments&... arguments) {
  print_text(rfs::format(pattern, arguments...));
}

/// Brings what was printed to its reader. Returns the errno of the first failure of any `print`, or 0. A reader that
/// has read enough and closed a pipe is no failure.
int flush_output();

}  // namespace rfs
