#include "verbs.h"

#include <CLI/CLI.hpp>

namespace rfs {

CLI::Option* comma_separated(CLI::Option* option) {
  return option->delimiter(',')->transform([](std::string element) { return CLI::detail::trim(element); }, "");
}

}  // namespace rfs
