#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "rfs/core/format.h"

namespace rfs {

/// Writes to standard error. Failures are ignored, because a closed terminal must not stop a training run.
template <class... Arguments>
void say(FormatPattern<std::type_identity_t<Arguments>...> pattern, const Arguments&... arguments) {
  const std::string text = rfs::format(pattern, arguments...);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

/// Writes to standard output; main checks for failures at the end.
void print_text(std::string_view text);
template <class... Arguments>
void print(FormatPattern<std::type_identity_t<Arguments>...> pattern, const Arguments&... arguments) {
  print_text(rfs::format(pattern, arguments...));
}

/// Flushes standard output. Returns the errno of the first failed `print`, or 0. A reader that closed its pipe early is
/// not a failure.
int flush_output();

/// Writes to standard output at once. Returns false if that fails, for example because nobody reads it any more.
bool print_now(std::string_view text);

}  // namespace rfs
