#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <memory>
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
    "memory: must hold model, batch and data, got too little; lower train.batch or train.rows_at_once, the model's "
    "sizes (model.*) or the task's";

/// An empty word is what an unset variable of a shell leaves: no option and no argument means it, but for a text.
void refuse_empty(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    if (option->get_name() == "--prompt") continue;
    option->check(
        [](const std::string& value) { return std::string(value.empty() ? "must not be empty, got ''" : ""); }, "");
  }
  for (CLI::App* verb : app.get_subcommands({})) refuse_empty(*verb);
}

/// Says what all ranks know.
int agreed(const rfs::Ranks& ranks, const std::string& text) {
  if (ranks.first()) rfs::say("rfs: {}\n", rfs::one_line(text));
  return 2;
}

/// Says what went wrong in this process, and ends those that train with it.
int failed(const rfs::Ranks& ranks, int code, const std::string& text) {
  if (ranks.size() == 1) {
    rfs::say("rfs: {}\n", rfs::one_line(text));
  } else {
    rfs::say("rfs: rank {} on {}: {}\n", ranks.rank(), rfs::host_name(), rfs::one_line(text));
    ranks.end_all(code);
  }
  return code;
}

/// Parses and runs; every exception becomes one line and an exit code.
int run(CLI::App& app, int argc, char** argv, rfs::Program& program, std::unique_ptr<rfs::Ranks>& ranks,
        const int& status) {
  const auto too_little = [&] { return failed(*program.ranks, 2, too_little_memory); };
  try {
    ranks = rfs::join_ranks();
    program.ranks = ranks.get();
    if (ranks->size() > 1 && (argc < 2 || std::string(argv[1]) != "train")) {
      return agreed(*ranks, fmt::format("command line: rfs train alone runs on several ranks, got {} ranks of rfs {}",
                                        ranks->size(), argc < 2 ? "" : argv[1]));
    }
    refuse_empty(app);
    app.parse(argc, argv);
    return status;
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::RequiredError& error) {
    // CLI11 does not say which word it did not take for a verb.
    std::vector<std::string> verbs;
    for (const auto* verb : app.get_subcommands({})) verbs.push_back(verb->get_name());
    const bool unknown_verb = argc > 1 && app.get_subcommands().empty();
    return agreed(*program.ranks,
                  fmt::format("command line: {}; see rfs --help",
                              unknown_verb ? rfs::unknown("verb", argv[1], verbs) : std::string(error.what())));
  } catch (const CLI::ParseError& error) {
    return agreed(*program.ranks, fmt::format("command line: {}; see rfs --help", rfs::first_line(error.what())));
  } catch (const rfs::AgreedError& error) {
    agreed(*program.ranks, error.what());
    return stop_requested ? rfs::exit_stopped : 2;
  } catch (const rfs::Error& error) {
    return failed(*program.ranks, stop_requested ? rfs::exit_stopped : 2, error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    return failed(*program.ranks, 2,
                  fmt::format("{}: cannot be used: {}", error.path1().string(), error.code().message()));
  } catch (const std::bad_alloc&) {
    return too_little();
  } catch (const std::exception& error) {
    const std::string line = rfs::first_line(error.what());
    if (line.find("not enough memory") != std::string::npos ||
        line.find("can't allocate memory") != std::string::npos) {
      return too_little();
    }
    return failed(*program.ranks, 1, fmt::format("internal error, please report it: {}", line));
  }
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
  std::signal(SIGUSR1, request_stop);  // what mpirun passes on, and schedulers send ahead of a limit
  if (std::signal(SIGHUP, request_stop) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);  // nohup outlives its terminal
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
  std::unique_ptr<rfs::Ranks> ranks;
  status = run(app, argc, argv, program, ranks, status);
  if (std::fflush(stdout) != 0 && errno != EPIPE && status == 0) {
    rfs::say("rfs: standard output: cannot be written: {}\n", std::strerror(errno));
    return 2;
  }
  return status;
}
