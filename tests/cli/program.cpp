#include "program.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <thread>

#include "rfs/core/files.h"

namespace rfs {
namespace fs = std::filesystem;
namespace {

pid_t start(const std::string& arguments, const fs::path& folder, const std::string& before = "") {
  for (const char* name : {".stdout", ".stderr"}) write_file(folder / name, "");  // it may be killed before it starts
  const pid_t child = fork();
  if (child != 0) return child;
  if (chdir(folder.c_str()) != 0) _exit(126);
  // Redirections in `before` come later and override these.
  const std::string command =
      "exec >.stdout 2>.stderr; " + before + " exec $RFS_TEST_LAUNCHER " RFS_PROGRAM " " + arguments;
  execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
  _exit(126);
}

Outcome finish(pid_t child, const fs::path& folder) {
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  Outcome outcome{WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read_file(folder / ".stdout"),
                  read_file(folder / ".stderr"), 1024.0 * static_cast<double>(usage.ru_maxrss)};
  fs::remove(folder / ".stdout");
  fs::remove(folder / ".stderr");
  return outcome;
}

}  // namespace

Outcome run_program(const std::string& arguments, const fs::path& folder, const std::string& before) {
  return finish(start(arguments, folder, before), folder);
}

Outcome kill_program(const std::string& arguments, const fs::path& folder, const std::string& before, double seconds) {
  const pid_t child = start(arguments, folder, before);
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  siginfo_t ended{};
  while (ended.si_pid == 0 && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT);
  }
  kill(child, SIGKILL);  // has no effect on a process that has ended
  return finish(child, folder);
}

Outcome interrupt_program(const std::string& arguments, const fs::path& folder, const fs::path& until,
                          const std::string& before, int signal) {
  const pid_t child = start(arguments, folder, before);
  for (int i = 0; i < 3000 && !fs::exists(until); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  kill(child, signal);
  return finish(child, folder);
}

Scratch::Scratch() {
  static std::atomic<int> next = 0;
  path_ = fs::temp_directory_path() / ("rfs_cli_test_" + std::to_string(getpid()) + "_" + std::to_string(next++));
  fs::create_directories(path_);
}

Scratch::~Scratch() {
  fs::remove_all(path_);
}
void Scratch::write(const std::string& name, const std::string& content) const {
  write_file(path_ / name, content);
}
std::string Scratch::read(const std::string& name) const {
  return read_file(path_ / name);
}

std::set<std::string> names(const fs::path& folder) {
  std::set<std::string> all;
  for (const auto& entry : fs::directory_iterator(folder)) all.insert(entry.path().filename());
  return all;
}

}  // namespace rfs
