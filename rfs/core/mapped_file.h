#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

namespace rfs {

/// A file mapped into memory for reading; unmapped with its last copy.
class MappedFile {
 public:
  /// Throws Error if it cannot be read or is not a regular file.
  explicit MappedFile(const std::filesystem::path& path);

  std::span<const std::byte> bytes() const { return {bytes_.get(), size_}; }
  const std::shared_ptr<const std::byte>& owner() const { return bytes_; }

 private:
  std::shared_ptr<const std::byte> bytes_;
  size_t size_ = 0;
};

}  // namespace rfs
