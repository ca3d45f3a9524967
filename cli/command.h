#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

// CLI11 takes seconds to compile. The verbs use it through these classes; only command.cpp and command_text.cpp include
// it.

namespace rfs {

/// An option or argument of a Command, to be described further: `add_option(...).required()`. A copy is the same
/// option.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option required();
  Option show_default();     ///< in the help text
  Option one_value();        ///< each occurrence of a list's option takes one value
  Option comma_separated();  ///< a list with commas; blanks around its elements are removed
  Option range(int64_t lowest, int64_t highest);
  Option real_range(double lowest, double highest);
  Option needs(const std::string& other);     ///< an option that was added before
  Option excludes(const std::string& other);  ///< an option that was added before

 private:
  CLI::Option* option_;
};

/// What a command is, for documentation: its name, what it does, what it takes and its subcommands.
struct CommandText {
  struct Option {
    std::string name;   ///< "--out"; "FILE" for an argument by position
    std::string value;  ///< what kind of value it takes, "" for a flag
    std::string help;
    bool required = false;
  };
  std::string name, help;
  std::vector<Option> options;
  std::vector<CommandText> commands;
};

/// A verb, a sub-verb or the whole program. A copy is the same command; all live as long as their CommandLine.
class Command {
 public:
  explicit Command(CLI::App* app) : app_(app) {}

  Command add_subcommand(const std::string& name, const std::string& help);
  /// One of the subcommands must be given.
  void require_subcommand();

  /// A name with dashes is an option, one without is an argument by position. Parsing writes to `value`, which must
  /// live until then.
  Option add_option(const std::string& name, std::string& value, const std::string& help);
  Option add_option(const std::string& name, std::optional<std::string>& value, const std::string& help);
  Option add_option(const std::string& name, int64_t& value, const std::string& help);
  Option add_option(const std::string& name, double& value, const std::string& help);
  Option add_option(const std::string& name, std::vector<std::string>& value, const std::string& help);
  Option add_option(const std::string& name, std::vector<int64_t>& value, const std::string& help);
  Option add_flag(const std::string& name, bool& value, const std::string& help);

  CommandText describe() const;

  /// How often an option was given.
  size_t count(const std::string& name) const;

  /// What the command does once the whole command line is parsed.
  void callback(std::function<void()> body);

 private:
  CLI::App* app_;
};

/// Owns the program's commands and parses what the user typed.
class CommandLine {
 public:
  CommandLine(const std::string& name, const std::string& help, const std::string& version);
  ~CommandLine();

  Command& program() { return program_; }

  /// Runs the callback of the given command, or prints the help or version asked for. Throws AgreedError for a mistake:
  /// all ranks have the same command line.
  void parse(int argc, char** argv);

 private:
  std::unique_ptr<CLI::App> app_;
  Command program_;
};

}  // namespace rfs
