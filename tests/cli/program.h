#pragma once

#include <csignal>
#include <filesystem>
#include <set>
#include <string>

namespace rfs {

struct Outcome {
  int code = 0;        ///< exit code, or 128 + signal
  std::string output;  ///< standard output
  std::string error;   ///< standard error
  double peak = 0;     ///< peak memory in bytes
};

/// Runs the rfs program in `folder`. `arguments` is a shell command line, and `before` has shell commands to run first.
/// If they set RFS_TEST_LAUNCHER, that command starts the program.
Outcome run_program(const std::string& arguments, const std::filesystem::path& folder, const std::string& before = "");

/// Like run_program, but sends SIGKILL after `seconds` if the program is still running. The code is then 128 + SIGKILL.
Outcome kill_program(const std::string& arguments, const std::filesystem::path& folder, const std::string& before,
                     double seconds);

/// Like run_program, but sends a signal, SIGINT by default, once `until` exists.
Outcome interrupt_program(const std::string& arguments, const std::filesystem::path& folder,
                          const std::filesystem::path& until, const std::string& before = "", int signal = SIGINT);

/// A temporary folder, removed when the test ends.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  const std::filesystem::path& path() const { return path_; }
  void write(const std::string& name, const std::string& content) const;
  std::string read(const std::string& name) const;
  bool has(const std::string& name) const { return std::filesystem::exists(path_ / name); }

 private:
  std::filesystem::path path_;
};

/// Settings of a model that trains in a second.
inline const std::string tiny_settings =
    "[task]\ntrain_lengths = [2, 4]\ntest_lengths = [5, 6]\ntrain_samples = 200\nvalidation_samples = 10\n"
    "test_samples = 10\nwords = 5\n[model]\npreset = 'tiny'\nlayers = 1\nwidth = 16\nheads = 2\nhead_width = 8\n"
    "feed_width = 16\ndropout = 0.1\n[train]\nsteps = 20\nbatch = 8\nlog_every = 5\nlearning_rate = 1e-2\nwarmup = 2\n";

/// For `before`: one thread is fast even on a busy machine.
inline const std::string one_thread = "OMP_NUM_THREADS=1; export OMP_NUM_THREADS;";

/// The names of all entries of a folder.
std::set<std::string> names(const std::filesystem::path& folder);

}  // namespace rfs
