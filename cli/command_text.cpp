#include <CLI/CLI.hpp>

#include "command.h"

namespace rfs {
namespace {

CommandText description(const CLI::App& app) {
  CommandText text{app.get_name(), app.get_description(), {}, {}};
  for (const CLI::Option* option : app.get_options()) {
    const std::string value = option->get_items_expected_max() == 0 ? "" : option->get_type_name();
    text.options.push_back({option->get_name(), value, option->get_description(), option->get_required()});
  }
  for (const CLI::App* verb : app.get_subcommands({})) text.commands.push_back(description(*verb));
  return text;
}

}  // namespace

CommandText Command::describe() const {
  return description(*app_);
}

}  // namespace rfs
