#include "rfs/core/format.h"

// Header-only, because LibTorch's include folder has a newer fmt than the system. No fmt library is needed at run time.
#ifndef FMT_HEADER_ONLY
#define FMT_HEADER_ONLY
#endif
#include <fmt/args.h>
#include <fmt/format.h>

#include <functional>

namespace rfs {

std::string format_arguments(std::string_view pattern, std::span<const FormatArgument> arguments) {
  fmt::dynamic_format_arg_store<fmt::format_context> store;
  store.reserve(arguments.size(), 0);
  for (const auto& argument : arguments) std::visit([&](const auto& value) { store.push_back(value); }, argument.value);
  return fmt::vformat(fmt::string_view(pattern.data(), pattern.size()), store);
}

}  // namespace rfs
