#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

namespace rfs {

/// Memory for data that may be larger than RAM: an unnamed file in a folder, mapped into memory, which the system reads
/// page by page. The file is deleted with the last owner.
class FileMemory {
 public:
  /// Throws Error if the folder has too little space.
  FileMemory(size_t bytes, const std::filesystem::path& folder);

  std::span<std::byte> bytes() const { return {bytes_.get(), size_}; }
  const std::shared_ptr<std::byte>& owner() const { return bytes_; }

 private:
  std::shared_ptr<std::byte> bytes_;
  size_t size_;
};

}  // namespace rfs
