#pragma once

#include "command.h"
#include "rfs/run/events.h"

namespace rfs {

/// Exit codes: 0 done, 1 internal error, 2 user error, 130 stopped by Ctrl-C.
constexpr int exit_stopped = 130;

/// Each verb adds itself to the command line; its callback sets `status` to the exit code.
void add_train(Command& app, const RunContext& context, int& status);
void add_eval(Command& app, const RunContext& context, int& status);
void add_score(Command& app, const RunContext& context, int& status);
void add_generate(Command& app, const RunContext& context, int& status);
void add_longrope(Command& app, const RunContext& context, int& status);
void add_attention(Command& app, const RunContext& context, int& status);
void add_report(Command& app, const RunContext& context, int& status);
void add_list(Command& app, const RunContext& context, int& status);
void add_show(Command& app, const RunContext& context, int& status);
void add_docs(Command& app, const RunContext& context, int& status);
void add_data(Command& app, const RunContext& context, int& status);
void add_corpus(Command& app, const RunContext& context, int& status);
void add_watch(Command& app, const RunContext& context, int& status);
void add_reproduce(Command& app, const RunContext& context, int& status);
void add_arena(Command& app, const RunContext& context, int& status);
void add_export(Command& app, const RunContext& context, int& status);
void add_import(Command& app, const RunContext& context, int& status);
void add_demo(Command& app, const RunContext& context, int& status);

}  // namespace rfs
