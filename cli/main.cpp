#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <new>

#include "print.h"
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

constexpr auto too_little_memory =
    "rfs: memory: must hold model, batch and data, got too little; lower train.batch, the model's sizes (model.*) or "
    "the "
    "task's\n";

/// Parses and runs; every exception becomes one line and an exit code.
int run(CLI::App& app, int argc, char** argv, const int& status) {
  try {
    app.parse(argc, argv);
    return status;
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::RequiredError& error) {
    // CLI11 does not say which word it did not take for a verb.
    std::vector<std::string> verbs;
    for (const auto* verb : app.get_subcommands({})) verbs.push_back(verb->get_name());
    const bool unknown_verb = argc > 1 && app.get_subcommands().empty();
    rfs::say("rfs: command line: {}; see rfs --help\n",
             unknown_verb ? rfs::unknown("verb", argv[1], verbs) : std::string(error.what()));
  } catch (const CLI::ParseError& error) {
    rfs::say("rfs: command line: {}; see rfs --help\n", rfs::first_line(error.what()));
  } catch (const rfs::Error& error) {
    rfs::say("rfs: {}\n", error.what());
    if (stop_requested) return rfs::exit_stopped;
  } catch (const std::filesystem::filesystem_error& error) {
    rfs::say("rfs: {}: cannot be used: {}\n", error.path1().string(), error.code().message());
  } catch (const std::bad_alloc&) {
    rfs::say(too_little_memory);
  } catch (const std::exception& error) {
    const std::string line = rfs::first_line(error.what());
    if (line.find("not enough memory") != std::string::npos ||
        line.find("can't allocate memory") != std::string::npos) {
      rfs::say(too_little_memory);
      return 2;
    }
    rfs::say("rfs: internal error, please report it: {}\n", line);
    return 1;
  }
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{
      "rfs: Transformers that keep working on inputs longer than any they were trained on.\n"
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
  rfs::add_score(app, program, status);
  rfs::add_generate(app, program, status);
  rfs::add_report(app, program, status);
  rfs::add_reproduce(app, program, status);
  rfs::add_data(app, program, status);
  rfs::add_corpus(app, program, status);
  rfs::add_export(app, program, status);
  rfs::add_import(app, program, status);
  rfs::add_list(app, program, status);
  rfs::add_show(app, program, status);
  status = run(app, argc, argv, status);
  if (std::fflush(stdout) != 0 && errno != EPIPE && status == 0) {
    rfs::say("rfs: standard output: cannot be written: {}\n", std::strerror(errno));
    return 2;
  }
  return status;
}
