#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace rfs {

/// A stream of bytes with lookahead.
class Bytes {
 public:
  /// Fills the start of a span and returns the number of bytes written: 0 at the end.
  using Fill = std::function<size_t(std::span<char>)>;
  explicit Bytes(Fill fill) : fill_(std::move(fill)), buffer_(1 << 16) {}

  /// The bytes that were read but not taken: at least `least` (at most 65,536), or fewer at the end of the stream.
  std::string_view ahead(size_t least);
  /// Removes bytes from the front.
  void take(size_t count) { begin_ += count; }

 private:
  Fill fill_;
  std::vector<char> buffer_;
  size_t begin_ = 0, end_ = 0;
  bool ended_ = false;
};

/// The bytes of a file. Calls `seen` with the size of each piece it reads. Throws Error.
Bytes file_bytes(const std::filesystem::path& path, const std::function<void(size_t)>& seen);

}  // namespace rfs
