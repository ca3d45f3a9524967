#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "rfs/core/temporary.h"

namespace rfs {

/// A lock on a run: a file next to its folder that only one process can create, on this machine or on another one that
/// shares the folder. The file names host and process. If that process no longer exists on this host, the lock is taken
/// over. Locks of other hosts are never taken over, because this host cannot check them.
class RunLock {
 public:
  explicit RunLock(const std::filesystem::path& run_folder);

  bool held() const { return held_.has_value(); }
  /// Who holds the lock, if it is not this process: "host node7, process 4711; remove FILE if that process is gone".
  const std::string& owner() const { return owner_; }

  /// Who holds a run's lock now, in the same form; "" if nobody does.
  static std::string holder(const std::filesystem::path& run_folder);

 private:
  std::string owner_;
  std::optional<Ephemeral> held_;  ///< the file, if this process holds the lock
};

/// Locks a folder against other processes on this host while the object lives. The lock disappears with its process. On
/// a file system without such locks, it has no effect.
class FolderGuard {
 public:
  enum class Others { waited_for, refused };
  explicit FolderGuard(const std::filesystem::path& folder, Others others = Others::waited_for);
  ~FolderGuard();
  FolderGuard(const FolderGuard&) = delete;
  FolderGuard& operator=(const FolderGuard&) = delete;

  /// False if another process holds the lock and `others` is `refused`.
  bool held() const { return held_; }

 private:
  int descriptor_;
  bool held_ = true;
};

}  // namespace rfs
