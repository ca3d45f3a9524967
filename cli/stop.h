#pragma once

namespace rfs {

/// Ctrl-C, SIGTERM, SIGUSR1 and a terminal that goes away ask the program to stop. A verb that asks `stop_requested`
/// soon afterwards ends in its own way. Otherwise the process ends within a second, whatever it does, and leaves no
/// temporary file. A second signal ends it at once. Writing to a closed pipe or beyond a limit (`ulimit -f`) is an
/// error of that write, no signal.
void handle_signals();

bool stop_requested();

/// While one of these lives, the process ends in its own way, however long that takes: it has something to save.
class StopsItself {
 public:
  StopsItself();
  ~StopsItself();
  StopsItself(const StopsItself&) = delete;
  StopsItself& operator=(const StopsItself&) = delete;
};

}  // namespace rfs
