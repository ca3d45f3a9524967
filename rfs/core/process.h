#pragma once

#include <sys/types.h>

#include <string>

namespace rfs {

/// A process is known by its host, by the table of processes it is in (containers of one host have their own) and by
/// its number there.
struct Process {
  std::string host, table;
  pid_t number = 0;

  static Process self();
  /// Whether it has ended. False for a process of another host or table: that cannot be told from here.
  bool gone() const;
};

}  // namespace rfs
