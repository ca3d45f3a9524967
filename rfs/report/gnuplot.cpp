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

constexpr const char* log_name = "gnuplot.log";

/// A folder in another for images that are not whole yet; gone with this object.
struct Drawing {
  explicit Drawing(const fs::path& in) : folder(in / fmt::format(".drawing.{}", getpid())) {
    fs::create_directories(folder);
  }
  ~Drawing() {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }
  Drawing(const Drawing&) = delete;
  Drawing& operator=(const Drawing&) = delete;

  fs::path folder;
};

}  // namespace

void run_gnuplot(const fs::path& folder, const std::string& script) {
  const Drawing drawing(folder);
  const std::string program = gnuplot_program(), here = drawing.folder.string(), from = "../" + script;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, here.c_str());
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log_name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  posix_spawnattr_t attributes;  // in a group of its own, where no Ctrl-C of the terminal reaches it
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  std::array<std::string, 4> words = {program, "-e", "set loadpath '..'", from};
  std::array<char*, 5> arguments = {words[0].data(), words[1].data(), words[2].data(), words[3].data(), nullptr};
  pid_t child = 0;
  const int failed = posix_spawnp(&child, program.c_str(), &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
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
    const fs::path log = drawing.folder / log_name;
    std::string reason = fs::exists(log) ? read_file(log) : "";
    if (WIFSIGNALED(status)) reason = fmt::format("stopped by signal {}", WTERMSIG(status));
    std::replace(reason.begin(), reason.end(), '\n', ' ');
    throw Error(fmt::format("{}: gnuplot must draw it, got an error: {}", (folder / script).string(), reason));
  }
  fs::remove(drawing.folder / log_name);
  for (const auto& image : fs::directory_iterator(drawing.folder)) {
    fs::rename(image.path(), folder / image.path().filename());
  }
}

std::string single_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : one_line(text)) out += c == '\'' ? "''" : std::string(1, c);
  return out + "'";
}

}  // namespace rfs
