#include "rfs/core/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "rfs/core/files.h"
#include "rfs/core/format.h"

namespace rfs {

MappedFile::MappedFile(const std::filesystem::path& path) {
  const auto fail = [&] {
    return Error(rfs::format("{}: cannot read this file: {}", path.string(), std::strerror(errno)));
  };
  const int file = open_file(path);
  struct stat status {};
  if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
    close(file);
    throw Error(rfs::format("{}: must be a file", path.string()));
  }
  size_ = static_cast<size_t>(status.st_size);
  void* memory = size_ == 0 ? nullptr : mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (memory == MAP_FAILED) throw fail();
  bytes_ = {static_cast<const std::byte*>(memory), [size = size_](const std::byte* bytes) {
              if (bytes) munmap(const_cast<std::byte*>(bytes), size);
            }};
}

}  // namespace rfs
