#include "lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <sstream>

#include "rfs/core/error.h"
#include "rfs/core/files.h"

namespace rfs {
namespace fs = std::filesystem;
namespace {

/// A process is known by its host, by the table of processes it is in (containers of one host have their own) and by
/// its number there.
struct Owner {
  std::string host, processes;
  pid_t process = 0;

  static Owner self() {
    char name[256] = {};
    gethostname(name, sizeof(name) - 1);
    std::error_code ignored;
    return {name, fs::read_symlink("/proc/self/ns/pid", ignored).string(), getpid()};
  }
  std::string text() const { return fmt::format("{} {} {}\n", host, processes, process); }
  std::string words(const fs::path& file) const {
    return fmt::format("host {}, process {} (remove {} if that is gone)", host, process, file.string());
  }
  bool gone() const {
    const Owner here = self();
    return host == here.host && processes == here.processes && kill(process, 0) != 0 && errno == ESRCH;
  }
};

/// False where the file is not there.
bool read_owner(const fs::path& file, Owner& owner) {
  try {
    std::istringstream text(read_file(file));
    text >> owner.host >> owner.processes >> owner.process;
    return true;
  } catch (const Error&) {
    return false;
  }
}

fs::path lock_file(const fs::path& run_folder) {
  return run_folder.parent_path() / (run_folder.filename().string() + ".lock");
}

/// Makes the file and writes it. False where it is there already.
bool create(const fs::path& file, const std::string& content) {
  fs::create_directories(file.parent_path());
  const int descriptor = open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (descriptor < 0 && errno == EEXIST) return false;
  const bool written =
      descriptor >= 0 && write(descriptor, content.data(), content.size()) == static_cast<ssize_t>(content.size());
  const int reason = errno;
  if (descriptor >= 0) close(descriptor);
  if (written) return true;
  std::error_code ignored;
  if (descriptor >= 0) fs::remove(file, ignored);
  throw Error(fmt::format("{}: cannot write this file: {}", file.string(), std::strerror(reason)));
}

}  // namespace

RunLock::RunLock(const fs::path& run_folder) : file_(lock_file(run_folder)) {
  const std::string own = Owner::self().text();
  while (!(held_ = create(file_, own))) {
    Owner other;
    if (!read_owner(file_, other)) continue;  // given back just now
    owner_ = other.words(file_);
    if (!other.gone()) return;
    // Only processes of this host take it over, one at a time; another may have done it meanwhile.
    const FolderGuard guard(file_.parent_path());
    if (Owner now; read_owner(file_, now) && now.gone()) fs::remove(file_);
  }
}

RunLock::~RunLock() {
  std::error_code ignored;
  if (held_) fs::remove(file_, ignored);
}

std::string RunLock::holder(const fs::path& run_folder) {
  Owner owner;
  const fs::path file = lock_file(run_folder);
  return read_owner(file, owner) && !owner.gone() ? owner.words(file) : "";
}

FolderGuard::FolderGuard(const fs::path& folder) : descriptor_(open(folder.c_str(), O_RDONLY | O_DIRECTORY)) {
  if (descriptor_ >= 0) flock(descriptor_, LOCK_EX);
}

FolderGuard::~FolderGuard() {
  if (descriptor_ >= 0) close(descriptor_);
}

}  // namespace rfs
