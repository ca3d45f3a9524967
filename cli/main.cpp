#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <exception>

#include "rfs/core/error.h"
#include "rfs/core/memory.h"
#include "rfs/core/version.h"
#include "verbs.h"

namespace {

volatile std::sig_atomic_t stop_requested = 0;

void request_stop(int signal) {
  if (stop_requested) {  // a second Ctrl-C means now
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  stop_requested = 1;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"rfs: Transformers that keep working on inputs longer than any they were trained on.\n"
               "Start with `rfs demo`; then `rfs list` and `rfs show FILE` say what there is to set.\n",
               "rfs"};
  app.require_subcommand(1);
  app.set_version_flag("--version", fmt::format("rfs {} ({}, {})", rfs::version, rfs::commit(), rfs::compiler));
  app.get_formatter()->column_width(32);

  rfs::Program program;
  for (int i = 0; i < argc; ++i) program.command += (i == 0 ? "rfs" : std::string(" ") + argv[i]);
  program.stopped = [] { return stop_requested != 0; };
  std::signal(SIGINT, request_stop);
  std::signal(SIGTERM, request_stop);
  std::signal(SIGPIPE, SIG_IGN);

  rfs::keep_freed_memory();
  int status = 0;
  rfs::add_demo(app, program, status);
  rfs::add_train(app, program, status);
  rfs::add_eval(app, program, status);
  rfs::add_report(app, program, status);
  rfs::add_list(app, program, status);
  rfs::add_show(app, program, status);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::RequiredError& error) {
    // CLI11 does not say which word it did not take for a verb.
    std::vector<std::string> verbs;
    for (const auto* verb : app.get_subcommands({})) verbs.push_back(verb->get_name());
    const bool unknown_verb = argc > 1 && app.get_subcommands().empty();
    fmt::print(stderr, "rfs: command line: {}; see rfs --help\n",
               unknown_verb ? rfs::unknown("verb", argv[1], verbs) : std::string(error.what()));
    return 2;
  } catch (const CLI::ParseError& error) {
    std::string line = error.what();
    line = line.substr(0, line.find('\n'));
    fmt::print(stderr, "rfs: command line: {}; see rfs --help\n", line);
    return 2;
  } catch (const rfs::Error& error) {
    fmt::print(stderr, "rfs: {}\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::string line = error.what();
    fmt::print(stderr, "rfs: internal error, please report it: {}\n", line.substr(0, line.find('\n')));
    return 1;
  }
  return status;
}
