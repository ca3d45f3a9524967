#pragma once

#include <filesystem>
#include <string>

namespace rfs {

struct Outcome {
  int code = 0;        ///< exit code, or 128 + signal
  std::string output;  ///< standard output
  std::string error;   ///< standard error
  double peak = 0;     ///< bytes of memory it held at most
};

/// Runs the rfs program with a shell's command line, in `folder`, after the shell's commands `before`; where these set
/// RFS_TEST_LAUNCHER, it is started by that command.
Outcome run_program(const std::string& arguments, const std::filesystem::path& folder, const std::string& before = "");

/// The same, sending SIGKILL after some seconds where it still lives: then the code is 128 + SIGKILL.
Outcome kill_program(const std::string& arguments, const std::filesystem::path& folder, const std::string& before,
                     double seconds);

/// The same as run_program, sending SIGINT once `until` exists.
Outcome interrupt_program(const std::string& arguments, const std::filesystem::path& folder,
                          const std::filesystem::path& until, const std::string& before = "");

/// A folder of its own for each test, removed afterwards.
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

}  // namespace rfs
