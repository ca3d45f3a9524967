#include "rfs/report/gnuplot.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "rfs/core/error.h"
#include "rfs/core/files.h"

namespace rfs {
namespace fs = std::filesystem;
namespace {

std::string gnuplot_program() {
  if (const char* chosen = std::getenv("RFS_GNUPLOT")) return chosen;
  const std::string built_with = RFS_GNUPLOT;
  return fs::exists(built_with) ? built_with : "gnuplot";
}

}  // namespace

void run_gnuplot(const fs::path& folder, const std::string& script) {
  const std::string program = gnuplot_program(), log = (folder / "gnuplot.log").string();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "gnuplot.log", O_WRONLY | O_CREAT | O_TRUNC, 0644);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  std::array<char*, 3> arguments = {const_cast<char*>(program.c_str()), const_cast<char*>(script.c_str()), nullptr};
  pid_t child = 0;
  const int failed = posix_spawnp(&child, program.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = -1;
  if (failed == 0) waitpid(child, &status, 0);
  if (failed != 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 127)) {
    throw Error(
        fmt::format("{}: must be drawn by gnuplot, got no program '{}'; install gnuplot-nox or set RFS_GNUPLOT "
                    "(script and data are kept)",
                    (folder / script).string(), program));
  }
  if (status != 0) {
    std::string reason = fs::exists(log) ? read_file(log) : "";
    if (WIFSIGNALED(status)) reason = fmt::format("stopped by signal {}", WTERMSIG(status));
    fs::remove(log);
    std::replace(reason.begin(), reason.end(), '\n', ' ');
    throw Error(fmt::format("{}: gnuplot must draw it, got an error: {}", (folder / script).string(), reason));
  }
  fs::remove(log);
}

std::string single_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "''" : std::string(1, c);
  return out + "'";
}

}  // namespace rfs
