#include "rfs/run/lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <sstream>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/core/process.h"

namespace rfs {
namespace fs = std::filesystem;
namespace {

std::string words(const Process& owner, const fs::path& file) {
  if (owner.host.empty()) {
    return rfs::format("the lock names no process; remove {} if none uses it", file.string());
  }
  return rfs::format("host {}, process {}; remove {} if that process is gone", owner.host, owner.number, file.string());
}

/// Empty if the file does not exist. If it names no process (truncated, unreadable, or a folder), the owner has no
/// host.
std::optional<Process> read_owner(const fs::path& file) {
  std::string content;
  std::error_code ignored;
  try {
    if (fs::is_regular_file(file, ignored)) content = read_file(file);  // reading a pipe might never end
  } catch (const Error&) {
  }
  if (fs::symlink_status(file, ignored).type() == fs::file_type::not_found) return std::nullopt;
  Process owner;
  std::istringstream text(content);
  if (!(text >> owner.host >> owner.table >> owner.number)) return Process{};
  return owner;
}

fs::path lock_file(const fs::path& run_folder) {
  return run_folder.parent_path() / (run_folder.filename().string() + ".lock");
}

/// Creates and writes the file. Returns false if it exists.
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
  throw Error(rfs::format("{}: cannot write this file: {}", file.string(), std::strerror(reason)));
}

}  // namespace

RunLock::RunLock(const fs::path& run_folder) {
  const fs::path file = lock_file(run_folder);
  const Process self = Process::self();
  while (!create(file, rfs::format("{} {} {}\n", self.host, self.table, self.number))) {
    const auto other = read_owner(file);
    if (!other) continue;  // just released
    owner_ = words(*other, file);
    if (!other->gone()) return;
    // Only processes on this host take it over, one at a time. Another one may have done so in the meantime.
    const FolderGuard guard(file.parent_path());
    if (const auto now = read_owner(file); now && now->gone()) fs::remove(file);
  }
  held_.emplace(file);
}

std::string RunLock::holder(const fs::path& run_folder) {
  const fs::path file = lock_file(run_folder);
  const auto owner = read_owner(file);
  return owner && !owner->gone() ? words(*owner, file) : "";
}

FolderGuard::FolderGuard(const fs::path& folder, Others others)
    : descriptor_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (descriptor_ < 0) return;
  const int operation = others == Others::refused ? LOCK_EX | LOCK_NB : LOCK_EX;
  held_ = flock(descriptor_, operation) == 0 || errno != EWOULDBLOCK;
}

FolderGuard::~FolderGuard() {
  if (descriptor_ >= 0) close(descriptor_);
}

}  // namespace rfs
