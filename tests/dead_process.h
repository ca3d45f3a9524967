#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "rfs/core/temporary.h"

namespace rfs {

/// The temporary path that the process with the given id would use.
inline std::filesystem::path temporary_path_of(pid_t process, const std::filesystem::path& path) {
  std::string name = temporary_path(path).string();
  return name.replace(name.rfind('-') + 1, std::to_string(getpid()).size(), std::to_string(process));
}

/// The temporary path of a process that no longer exists.
inline std::filesystem::path temporary_path_of_the_dead(const std::filesystem::path& path) {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
  return temporary_path_of(child, path);
}

}  // namespace rfs
