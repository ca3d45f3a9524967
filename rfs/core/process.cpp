#include "rfs/core/process.h"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>

namespace rfs {

Process Process::self() {
  char name[256] = {};
  gethostname(name, sizeof(name) - 1);
  std::error_code ignored;
  return {name, std::filesystem::read_symlink("/proc/self/ns/pid", ignored).string(), getpid()};
}

bool Process::gone() const {
  const Process here = self();
  return host == here.host && table == here.table && kill(number, 0) != 0 && errno == ESRCH;
}

}  // namespace rfs
