#pragma once

namespace rfs {

/// Ctrl-C, SIGTERM, SIGUSR1 and a closed terminal ask the program to stop. A verb that calls `stop_requested` soon
/// afterwards ends in its own way. Otherwise the process ends within a second and leaves no temporary file. A second
/// signal ends it immediately. Writing to a closed pipe or beyond a limit (`ulimit -f`) makes the write fail instead of
/// raising a signal.
void handle_signals();

bool stop_requested();

/// While such an object lives, the process saves its state before it ends, however long that takes.
class StopsItself {
 public:
  StopsItself();
  ~StopsItself();
  StopsItself(const StopsItself&) = delete;
  StopsItself& operator=(const StopsItself&) = delete;
};

}  // namespace rfs
