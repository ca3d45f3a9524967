#include "rfs/corpus/bytes.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "rfs/core/files.h"
#include "rfs/core/format.h"

namespace rfs {

std::string_view Bytes::ahead(size_t least) {
  if (end_ - begin_ < least && !ended_) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    while (end_ < least && !ended_) {
      const size_t count = fill_(std::span(buffer_).subspan(end_));
      ended_ = count == 0;
      end_ += count;
    }
  }
  return {buffer_.data() + begin_, end_ - begin_};
}

Bytes file_bytes(const std::filesystem::path& path, const std::function<void(size_t)>& seen) {
  const auto fail = [path](int code) {
    return Error(rfs::format("{}: cannot read this file: {}", path.string(), std::strerror(code)));
  };
  const std::shared_ptr<const int> file(new int(open_file(path)), [](const int* one) {
    close(*one);
    delete one;
  });
  return Bytes([file, seen, fail](std::span<char> to) {
    const ssize_t count = read(*file, to.data(), to.size());
    if (count < 0) throw fail(errno);
    seen(static_cast<size_t>(count));
    return static_cast<size_t>(count);
  });
}

}  // namespace rfs
