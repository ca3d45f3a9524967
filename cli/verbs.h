#pragma once

#include <functional>
#include <string>

#include "rfs/train/ranks.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace rfs {

/// What the program's verbs share: how they were called, whether Ctrl-C was pressed, and the processes it was started
/// with.
struct Program {
  std::string command;            ///< the whole command line, for records
  std::function<bool()> stopped;  ///< Ctrl-C, SIGTERM or SIGUSR1 came
  const Ranks* ranks = &Ranks::alone();
};

/// Exit codes: 0 done, 1 our fault, 2 the user's mistake, 130 stopped by Ctrl-C.
constexpr int exit_stopped = 130;

/// Makes an option a list with commas; blanks around its elements do not count.
CLI::Option* comma_separated(CLI::Option* option);

/// Each verb adds itself to the command line; its callback sets `status` to the exit code.
void add_train(CLI::App& app, const Program& program, int& status);
void add_eval(CLI::App& app, const Program& program, int& status);
void add_score(CLI::App& app, const Program& program, int& status);
void add_generate(CLI::App& app, const Program& program, int& status);
void add_report(CLI::App& app, const Program& program, int& status);
void add_list(CLI::App& app, const Program& program, int& status);
void add_show(CLI::App& app, const Program& program, int& status);
void add_data(CLI::App& app, const Program& program, int& status);
void add_corpus(CLI::App& app, const Program& program, int& status);
void add_reproduce(CLI::App& app, const Program& program, int& status);
void add_export(CLI::App& app, const Program& program, int& status);
void add_import(CLI::App& app, const Program& program, int& status);
void add_demo(CLI::App& app, const Program& program, int& status);

}  // namespace rfs
