#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <memory>
#include <new>

#include "command.h"
#include "print.h"
#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/core/memory.h"
#include "rfs/core/version.h"
#include "rfs/core/words.h"
#include "run_display.h"
#include "stop.h"
#include "verbs.h"

namespace {

constexpr auto too_little_memory =
    "memory: too little for the model, the batch or the data; lower train.batch or train.micro_batch, the model's "
    "sizes (model.*) or the task's, or the --lengths to score";

/// A message as printed: one line of bounded length.
std::string printed(const std::string& text) {
  return rfs::one_line(rfs::Error(text).what());
}

/// Prints an error that all ranks have.
int agreed(const rfs::Ranks& ranks, const std::string& text) {
  if (ranks.first()) rfs::say("rfs: {}\n", printed(text));
  return 2;
}

/// Prints an error of this process and ends the other ranks.
int failed(const rfs::Ranks& ranks, int code, const std::string& text) {
  if (ranks.size() == 1) {
    rfs::say("rfs: {}\n", printed(text));
  } else {
    rfs::say("rfs: rank {} on {}: {}\n", ranks.rank(), rfs::host_name(), printed(text));
    ranks.end_all(code);
  }
  return code;
}

/// Parses and runs the command line; every exception becomes one line and an exit code.
int run(rfs::CommandLine& command_line, int argc, char** argv, rfs::RunContext& context,
        std::unique_ptr<rfs::Ranks>& ranks, const int& status) {
  const auto too_little = [&] { return failed(*context.ranks, 2, too_little_memory); };
  try {
    ranks = rfs::join_ranks();
    context.ranks = ranks.get();
    if (ranks->size() > 1) rfs::require_same(*ranks, "command line", "'" + context.command + "'");
    if (ranks->size() > 1 && (argc < 2 || std::string(argv[1]) != "train")) {
      return agreed(*ranks, rfs::format("command line: only rfs train runs on several ranks, got {} ranks of rfs {}",
                                        ranks->size(), argc < 2 ? "" : argv[1]));
    }
    command_line.parse(argc, argv);
    return status;
  } catch (const rfs::AgreedError& error) {
    agreed(*context.ranks, error.what());
    return rfs::stop_requested() ? rfs::exit_stopped : 2;
  } catch (const rfs::Error& error) {
    return failed(*context.ranks, rfs::stop_requested() ? rfs::exit_stopped : 2, error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    return failed(*context.ranks, 2,
                  rfs::format("{}: cannot use this path: {}", error.path1().string(), error.code().message()));
  } catch (const std::bad_alloc&) {
    return too_little();
  } catch (const std::exception& error) {
    const std::string line = rfs::first_line(error.what());
    if (line.find("not enough memory") != std::string::npos ||
        line.find("can't allocate memory") != std::string::npos) {
      return too_little();
    }
    return failed(*context.ranks, 1, rfs::format("internal error, please report it: {}", line));
  }
}

}  // namespace

int main(int argc, char** argv) {
  rfs::handle_signals();
  rfs::CommandLine command_line("rfs",
                                "rfs: Transformers that keep working on inputs longer than any they were trained on.\n"
                                "Start with `rfs demo`. `rfs list` and `rfs show FILE` list what you can set.\n",
                                rfs::format("rfs {} ({}, {})", rfs::version, rfs::commit(), rfs::compiler));
  rfs::Command& app = command_line.program();

  rfs::RunDisplay display;
  rfs::RunContext context;
  context.events = &display;
  for (int i = 0; i < argc; ++i) context.command += i == 0 ? "rfs" : " " + rfs::shell_word(argv[i]);
  context.stopped = rfs::stop_requested;

  rfs::keep_freed_memory();
  int status = 0;
  rfs::add_demo(app, context, status);
  rfs::add_train(app, context, status);
  rfs::add_eval(app, context, status);
  rfs::add_score(app, context, status);
  rfs::add_generate(app, context, status);
  rfs::add_longrope(app, context, status);
  rfs::add_attention(app, context, status);
  rfs::add_report(app, context, status);
  rfs::add_watch(app, context, status);
  rfs::add_reproduce(app, context, status);
  rfs::add_arena(app, context, status);
  rfs::add_data(app, context, status);
  rfs::add_corpus(app, context, status);
  rfs::add_export(app, context, status);
  rfs::add_import(app, context, status);
  rfs::add_list(app, context, status);
  rfs::add_show(app, context, status);
  rfs::add_docs(app, context, status);
  std::unique_ptr<rfs::Ranks> ranks;
  status = run(command_line, argc, argv, context, ranks, status);
  if (const int error = rfs::flush_output(); error != 0 && status == 0) {
    rfs::say("rfs: standard output: cannot write: {}\n", std::strerror(error));
    return 2;
  }
  return status;
}
