#include "rfs/core/file_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include "rfs/core/error.h"
#include "rfs/core/format.h"

namespace rfs {

FileMemory::FileMemory(size_t bytes, const std::filesystem::path& folder) : size_(bytes) {
  if (bytes == 0) return;
  const auto fail = [&](int code) {
    return Error(rfs::format("{}: cannot reserve {:.1f} GB for data that does not fit into memory: {}; free some space",
                             folder.string(), static_cast<double>(bytes) / 1e9, std::strerror(code)));
  };
  std::string name = (folder / "rfs-scratch-XXXXXX").string();
  const int file = mkstemp(name.data());
  if (file < 0) throw fail(errno);
  unlink(name.c_str());
  const int code = posix_fallocate(file, 0, static_cast<off_t>(bytes));
  void* memory = code == 0 ? mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
  const int error = code != 0 ? code : errno;
  close(file);
  if (memory == MAP_FAILED) throw fail(error);
  bytes_ = {static_cast<std::byte*>(memory), [bytes](std::byte* first) { munmap(first, bytes); }};
}

}  // namespace rfs
