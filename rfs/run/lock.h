#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "rfs/core/temporary.h"

namespace rfs {

/// A claim on a run: a file beside its folder that one process at a time can make, here or on another machine that
/// shares the folder. It holds host and process. One whose process is gone from this host is taken over; one of another
/// host never is, since nobody here can tell.
class RunLock {
 public:
  explicit RunLock(const std::filesystem::path& run_folder);

  bool held() const { return held_.has_value(); }
  /// Who holds it, where it is not ours: "host node7, process 4711 (remove FILE if that is gone)".
  const std::string& owner() const { return owner_; }

  /// Who holds the lock of a run now, in the same words; "" for nobody.
  static std::string holder(const std::filesystem::path& run_folder);

 private:
  std::string owner_;
  std::optional<Ephemeral> held_;  ///< the file, where it is ours
};

/// Keeps others on this host out of a folder while it lives, without a trace when its process is gone. Where a file
/// system knows no such locks, nobody is kept out.
class FolderGuard {
 public:
  enum class Others { waited_for, refused };
  explicit FolderGuard(const std::filesystem::path& folder, Others others = Others::waited_for);
  ~FolderGuard();
  FolderGuard(const FolderGuard&) = delete;
  FolderGuard& operator=(const FolderGuard&) = delete;

  /// False where somebody else has it, who was not waited for.
  bool held() const { return held_; }

 private:
  int descriptor_;
  bool held_ = true;
};

}  // namespace rfs
