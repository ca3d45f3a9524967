#pragma once

#include <filesystem>
#include <string>

namespace rfs {

/// Where this process writes what becomes `path` once it is whole: NAME.rfs-HOST-PID.part beside it, where HOST is a
/// hash of the host and its table of processes. Nobody else has such names.
std::filesystem::path temporary_path(const std::filesystem::path& path);

/// A file or folder that is removed with this object, if it is there then.
class Ephemeral {
 public:
  explicit Ephemeral(std::filesystem::path path);
  ~Ephemeral();
  Ephemeral(const Ephemeral&) = delete;
  Ephemeral& operator=(const Ephemeral&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// Removes those of all living objects, for a process that ends at once.
  static void remove_all();

 private:
  std::filesystem::path path_;
};

/// Removes the temporary files and folders in `folder` whose process was killed. Those of living processes stay. Those
/// of other hosts stay until nobody has changed them for a day, since nobody here can tell whether the process lives.
void remove_abandoned(const std::filesystem::path& folder);

/// The name of something in a folder other than temporary files and empty folders; "" where there is nothing.
std::string first_entry(const std::filesystem::path& folder);

}  // namespace rfs
