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

// CLI11 takes seconds to compile, so only command.cpp and command_text.cpp include it. The verbs use these classes.

namespace rfs {

/// An option or argument of a Command, for further description: `add_option(...).required()`. A copy refers to the same
/// option.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option required();
  Option show_default();     ///< in the help text
  Option one_value();        ///< each occurrence of a list option takes one value
  Option comma_separated();  ///< a comma-separated list; spaces around elements are removed
  Option range(int64_t lowest, int64_t highest);
  Option real_range(double lowest, double highest);
  Option needs(const std::string& other);     ///< an option that was added before
  Option excludes(const std::string& other);  ///< an option that was added before

 private:
  CLI::Option* option_;
};

/// A command's documentation: its name, help text, options and subcommands.
struct CommandText {
  struct Option {
    std::string name;   ///< "--out"; "FILE" for a positional argument
    std::string value;  ///< the type of its value, "" for a flag
    std::string help;
    bool required = false;
  };
  std::string name, help;
  std::vector<Option> options;
  std::vector<CommandText> commands;
};

/// A verb, a sub-verb or the whole program. A copy refers to the same command; commands live as long as their
/// CommandLine.
class Command {
 public:
  explicit Command(CLI::App* app) : app_(app) {}

  Command add_subcommand(const std::string& name, const std::string& help);
  /// One of the subcommands must be given.
  void require_subcommand();

  /// A name with dashes is an option, one without is a positional argument. Parsing writes to `value`, which must live
  /// until then.
  Option add_option(const std::string& name, std::string& value, const std::string& help);
  Option add_option(const std::string& name, std::optional<std::string>& value, const std::string& help);
  Option add_option(const std::string& name, int64_t& value, const std::string& help);
  Option add_option(const std::string& name, double& value, const std::string& help);
  Option add_option(const std::string& name, std::vector<std::string>& value, const std::string& help);
  Option add_option(const std::string& name, std::vector<int64_t>& value, const std::string& help);
  Option add_flag(const std::string& name, bool& value, const std::string& help);

  CommandText describe() const;

  /// The number of times an option was given.
  size_t count(const std::string& name) const;

  /// Sets the function that runs once the whole command line is parsed.
  void callback(std::function<void()> body);

 private:
  CLI::App* app_;
};

/// Owns the program's commands and parses the command line.
class CommandLine {
 public:
  CommandLine(const std::string& name, const std::string& help, const std::string& version);
  ~CommandLine();

  Command& program() { return program_; }

  /// Runs the callback of the given command, or prints the help or version. Throws AgreedError for a mistake, because
  /// all ranks have the same command line.
  void parse(int argc, char** argv);

 private:
  std::unique_ptr<CLI::App> app_;
  Command program_;
};

}  // namespace rfs
