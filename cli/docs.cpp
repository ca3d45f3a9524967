#include <memory>

#include "command_docs.h"
#include "print.h"
#include "rfs/core/error.h"
#include "rfs/run/reference.h"
#include "verbs.h"

namespace rfs {
namespace {

using Writer = std::string (*)(const CommandText&);

const std::vector<std::pair<std::string, Writer>>& documents() {
  static const std::vector<std::pair<std::string, Writer>> all = {
      {"settings", [](const CommandText&) { return settings_reference(); }},
      {"commands", commands_reference},
      {"man", man_page},
      {"bash", bash_completion},
      {"zsh", zsh_completion},
      {"fish", fish_completion}};
  return all;
}

}  // namespace

void add_docs(Command& app, const RunContext&, int&) {
  Command verb =
      app.add_subcommand("docs", "Print the reference of settings or commands, a man page, or shell completions");
  auto name = std::make_shared<std::string>();
  verb.add_option("WHAT", *name, "settings or commands (Markdown), man, bash, zsh or fish").required();
  verb.callback([app, name] {
    std::vector<std::string> names;
    for (const auto& [document, write] : documents()) {
      if (document == *name) return print_text(write(app.describe()));
      names.push_back(document);
    }
    throw Error("docs: " + unknown("document", *name, names));
  });
}

}  // namespace rfs
