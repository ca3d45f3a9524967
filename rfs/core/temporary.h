#pragma once

#include <filesystem>
#include <string>

namespace rfs {

/// The temporary path this process writes to before renaming it to `path`: NAME.rfs-HOST-PID.part in the same folder.
/// HOST is a hash of the host and its PID namespace, so no other process uses the name.
std::filesystem::path temporary_path(const std::filesystem::path& path);

/// Removes a file or folder, if it exists, when this object is destroyed.
class Ephemeral {
 public:
  explicit Ephemeral(std::filesystem::path path);
  ~Ephemeral();
  Ephemeral(const Ephemeral&) = delete;
  Ephemeral& operator=(const Ephemeral&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// Removes the paths of all living objects, for a process that exits immediately.
  static void remove_all();

 private:
  std::filesystem::path path_;
};

/// Removes the temporary files and folders in `folder` whose process was killed. Those of living processes stay. Those
/// of other hosts stay until they are unchanged for a day, because their process cannot be checked from here.
void remove_abandoned(const std::filesystem::path& folder);

/// The name of some entry of a folder, ignoring temporary files and empty folders; "" if there is none.
std::string first_entry(const std::filesystem::path& folder);

}  // namespace rfs
