#include "command_docs.h"

#include <functional>

#include "rfs/core/format.h"
#include "rfs/core/version.h"

namespace rfs {
namespace {

/// Calls `body(full name, command)` for every command below the program, sub-verbs after their verb.
void for_each_command(const CommandText& text, const std::string& prefix,
                      const std::function<void(const std::string&, const CommandText&)>& body) {
  for (const CommandText& command : text.commands) {
    const std::string name = prefix + " " + command.name;
    body(name, command);
    for_each_command(command, name, body);
  }
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

bool is_option(const CommandText::Option& option) {
  return option.name.starts_with("-");
}

/// The names of a command's verbs and options, separated by spaces.
std::string completions(const CommandText& command) {
  std::string words;
  const auto add = [&](const std::string& word) { words += (words.empty() ? "" : " ") + word; };
  for (const auto& verb : command.commands) add(verb.name);
  for (const auto& option : command.options) {
    if (is_option(option)) add(option.name);
  }
  return words;
}

std::string in_quotes(const std::string& text) {
  return "'" + replaced(text, "'", "'\\''") + "'";
}

}  // namespace

std::string commands_reference(const CommandText& program) {
  std::string page =
      "# Commands\n\nAll commands of the program with their options. `rfs docs commands` prints this page.\n";
  for_each_command(program, program.name, [&](const std::string& name, const CommandText& command) {
    page += rfs::format("\n## {}\n\n{}.\n", name, command.help);
    if (!command.commands.empty()) return;
    page += "\n| option | value | meaning |\n| --- | --- | --- |\n";
    for (const auto& option : command.options) {
      page += rfs::format("| `{}`{} | {} | {} |\n", option.name, option.required ? " (required)" : "", option.value,
                          replaced(option.help, "|", "\\|"));
    }
  });
  return page;
}

std::string man_page(const CommandText& program) {
  const auto plain = [](const std::string& text) { return replaced(replaced(text, "\\", "\\e"), "-", "\\-"); };
  std::string page = rfs::format(
      ".TH RFS 1 \"\" \"rfs {}\"\n.SH NAME\nrfs \\- Transformers that keep working on inputs longer than any they were "
      "trained on\n.SH SYNOPSIS\n.B rfs\n.I COMMAND\n[OPTIONS]\n.SH COMMANDS\n",
      version);
  for_each_command(program, program.name, [&](const std::string& name, const CommandText& command) {
    page += rfs::format(".SS {}\n{}.\n", plain(name), plain(command.help));
    for (const auto& option : command.options) {
      page += rfs::format(".TP\n.B {} {}\n{}\n", plain(option.name), plain(option.value), plain(option.help));
    }
  });
  return page;
}

std::string bash_completion(const CommandText& program) {
  std::string script =
      "# Completion of rfs for bash: source <(rfs docs bash)\n"
      "_rfs() {\n"
      "  local word=\"${COMP_WORDS[COMP_CWORD]}\" path=\"${COMP_WORDS[1]}\" words=\n"
      "  case \"${COMP_WORDS[2]}\" in\n"
      "    [a-z]*) [ \"$COMP_CWORD\" -gt 2 ] && path=\"$path ${COMP_WORDS[2]}\" ;;\n"
      "  esac\n";
  script += rfs::format("  if [ \"$COMP_CWORD\" -eq 1 ]; then words={}; else\n  case \"$path\" in\n",
                        in_quotes(completions(program)));
  std::string last;
  for_each_command(program, "", [&](const std::string& name, const CommandText& command) {
    const std::string path = name.substr(1);
    const bool sub = path.find(' ') != std::string::npos;
    script += rfs::format("    {}{}) words={} ;;\n", in_quotes(path), sub || !command.commands.empty() ? "" : "*",
                          in_quotes(completions(command)));
  });
  script +=
      "  esac\n  fi\n"
      "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
      "}\n"
      "complete -o default -F _rfs rfs\n";
  return script;
}

std::string zsh_completion(const CommandText& program) {
  return "#compdef rfs\n# Completion of rfs for zsh: source <(rfs docs zsh)\n"
         "(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }\n"
         "autoload -Uz bashcompinit && bashcompinit\n" +
         bash_completion(program);
}

std::string fish_completion(const CommandText& program) {
  std::string script = "# Completion of rfs for fish: rfs docs fish | source\n";
  for (const CommandText& verb : program.commands) {
    script += rfs::format("complete -c rfs -n __fish_use_subcommand -a {} -d {}\n", verb.name, in_quotes(verb.help));
    const auto options = [&](const CommandText& command) {
      for (const auto& option : command.options) {
        if (!option.name.starts_with("--")) continue;
        script += rfs::format("complete -c rfs -n {} -l {} {}-d {}\n",
                              in_quotes("__fish_seen_subcommand_from " + command.name), option.name.substr(2),
                              option.value.empty() ? "" : "-r ", in_quotes(option.help));
      }
    };
    options(verb);
    for (const CommandText& sub : verb.commands) {
      script += rfs::format("complete -c rfs -n {} -a {} -d {}\n",
                            in_quotes("__fish_seen_subcommand_from " + verb.name), sub.name, in_quotes(sub.help));
      options(sub);
    }
  }
  return script;
}

}  // namespace rfs
