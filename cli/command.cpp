#include "command.h"

#include <CLI/CLI.hpp>
#include <sstream>
#include <utility>

#include "print.h"
#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/train/ranks.h"

namespace rfs {
namespace {

/// An unset shell variable leaves an empty word. No option or argument accepts one, except a prompt.
void refuse_empty(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    if (option->get_name() == "--prompt") continue;
    option->check(
        [](const std::string& value) { return std::string(value.empty() ? "must not be empty, got ''" : ""); }, "");
  }
  for (CLI::App* verb : app.get_subcommands({})) refuse_empty(*verb);
}

AgreedError mistake(const std::string& text) {
  return AgreedError(rfs::format("command line: {}; see rfs --help", text));
}

}  // namespace

Option Option::required() {
  option_->required();
  return *this;
}

Option Option::show_default() {
  option_->capture_default_str();
  return *this;
}

Option Option::one_value() {
  option_->allow_extra_args(false);
  return *this;
}

Option Option::comma_separated() {
  option_->delimiter(',')->transform([](std::string element) { return CLI::detail::trim(element); }, "");
  return *this;
}

Option Option::range(int64_t lowest, int64_t highest) {
  option_->check(CLI::Range(lowest, highest));
  return *this;
}

Option Option::real_range(double lowest, double highest) {
  option_->check(CLI::Range(lowest, highest));
  return *this;
}

Option Option::needs(const std::string& other) {
  option_->needs(other);
  return *this;
}

Option Option::excludes(const std::string& other) {
  option_->excludes(other);
  return *this;
}

Command Command::add_subcommand(const std::string& name, const std::string& help) {
  return Command(app_->add_subcommand(name, help));
}

void Command::require_subcommand() {
  app_->require_subcommand(1);
}

Option Command::add_option(const std::string& name, std::string& value, const std::string& help) {
  return Option(app_->add_option(name, value, help));
}

Option Command::add_option(const std::string& name, std::optional<std::string>& value, const std::string& help) {
  return Option(app_->add_option(name, value, help));
}

Option Command::add_option(const std::string& name, int64_t& value, const std::string& help) {
  return Option(app_->add_option(name, value, help));
}

Option Command::add_option(const std::string& name, double& value, const std::string& help) {
  return Option(app_->add_option(name, value, help));
}

Option Command::add_option(const std::string& name, std::vector<std::string>& value, const std::string& help) {
  return Option(app_->add_option(name, value, help));
}

Option Command::add_option(const std::string& name, std::vector<int64_t>& value, const std::string& help) {
  return Option(app_->add_option(name, value, help));
}

Option Command::add_flag(const std::string& name, bool& value, const std::string& help) {
  return Option(app_->add_flag(name, value, help));
}

size_t Command::count(const std::string& name) const {
  return app_->count(name);
}

void Command::callback(std::function<void()> body) {
  app_->callback(std::move(body));
}

CommandLine::CommandLine(const std::string& name, const std::string& help, const std::string& version)
    : app_(std::make_unique<CLI::App>(help, name)), program_(app_.get()) {
  app_->require_subcommand(1);
  app_->set_version_flag("--version", version);
  app_->get_formatter()->column_width(32);
}

CommandLine::~CommandLine() = default;

void CommandLine::parse(int argc, char** argv) {
  refuse_empty(*app_);
  try {
    app_->parse(argc, argv);
  } catch (const CLI::Success& success) {
    std::ostringstream text;
    app_->exit(success, text, text);
    print_text(text.str());
  } catch (const CLI::RequiredError& error) {
    // CLI11 does not say which word is not a verb.
    if (argc < 2 || !app_->get_subcommands().empty()) throw mistake(error.what());
    std::vector<std::string> verbs;
    for (const auto* verb : app_->get_subcommands({})) verbs.push_back(verb->get_name());
    throw mistake(unknown("verb", argv[1], verbs));
  } catch (const CLI::ParseError& error) {
    throw mistake(first_line(error.what()));
  }
}

}  // namespace rfs
