#pragma once

#include <functional>
#include <string>

#include "command.h"
#include "rfs/train/ranks.h"

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

/// Each verb adds itself to the command line; its callback sets `status` to the exit code.
void add_train(Command& app, const Program& program, int& status);
void add_eval(Command& app, const Program& program, int& status);
void add_score(Command& app, const Program& program, int& status);
void add_generate(Command& app, const Program& program, int& status);
void add_report(Command& app, const Program& program, int& status);
void add_list(Command& app, const Program& program, int& status);
void add_show(Command& app, const Program& program, int& status);
void add_data(Command& app, const Program& program, int& status);
void add_corpus(Command& app, const Program& program, int& status);
void add_reproduce(Command& app, const Program& program, int& status);
void add_export(Command& app, const Program& program, int& status);
void add_import(Command& app, const Program& program, int& status);
void add_demo(Command& app, const Program& program, int& status);

}  // namespace rfs
