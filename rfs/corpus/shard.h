#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rfs/core/mapped_file.h"

namespace rfs {

/// A file of whole tokenized documents, mapped into memory; docs/formats.md describes the layout.
class Shard {
 public:
  /// Checks header, size and document ends. Throws Error.
  explicit Shard(const std::filesystem::path& path);

  int64_t tokens() const { return tokens_; }
  int64_t documents() const { return static_cast<int64_t>(ends_.size()); }
  int64_t width() const { return width_; }                 ///< bytes per id
  std::span<const int64_t> ends() const { return ends_; }  ///< end of each document, including its end token
  /// Throws std::out_of_range.
  void read(int64_t first, std::span<int32_t> to) const;

  std::string sha256() const;  ///< of the whole file; reads all of it
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  MappedFile file_;
  int64_t tokens_ = 0, width_ = 0;
  std::span<const int64_t> ends_;
  const std::byte* ids_ = nullptr;
};

/// Writes documents as a shard, atomically. Returns the SHA-256 of the file.
std::string write_shard(const std::filesystem::path& path, int64_t width, std::span<const int64_t> ends,
                        std::span<const int32_t> ids);

}  // namespace rfs
