#pragma once

#include <sys/types.h>

#include <string>

namespace rfs {

/// Identifies a process by its host, its PID namespace (containers on one host have their own) and its PID there.
struct Process {
  std::string host, table;
  pid_t number = 0;

  static Process self();
  /// True if it has ended. False for a process of another host or PID namespace, which cannot be checked from here.
  bool gone() const;
};

}  // namespace rfs
