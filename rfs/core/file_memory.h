#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

namespace rfs {

/// Memory for data that may be larger than the machine's: the system keeps it in a file without a name in some folder
/// and takes from there what is read. The file goes with the last owner.
class FileMemory {
 public:
  /// Throws Error where the folder has no room.
  FileMemory(size_t bytes, const std::filesystem::path& folder);

  std::span<std::byte> bytes() const { return {bytes_.get(), size_}; }
  const std::shared_ptr<std::byte>& owner() const { return bytes_; }

 private:
  std::shared_ptr<std::byte> bytes_;
  size_t size_;
};

}  // namespace rfs
