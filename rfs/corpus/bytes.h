#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace rfs {

/// Bytes that come one piece after another, with a look ahead.
class Bytes {
 public:
  /// Fills a span from its beginning and returns how many bytes came: 0 at the end.
  using Fill = std::function<size_t(std::span<char>)>;
  explicit Bytes(Fill fill) : fill_(std::move(fill)), buffer_(1 << 16) {}

  /// The bytes that were read and not taken yet: at least so many (and at most 65,536), unless the end comes before.
  std::string_view ahead(size_t least);
  /// Takes bytes off the front of those.
  void take(size_t count) { begin_ += count; }

 private:
  Fill fill_;
  std::vector<char> buffer_;
  size_t begin_ = 0, end_ = 0;
  bool ended_ = false;
};

/// The bytes of a file. `seen` is told of every piece's size. Throws Error.
Bytes file_bytes(const std::filesystem::path& path, const std::function<void(size_t)>& seen);

}  // namespace rfs
