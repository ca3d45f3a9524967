#include "rfs/core/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <new>
#include <stdexcept>

#include "rfs/core/format.h"
#include "rfs/core/temporary.h"

namespace rfs {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void fail(const fs::path& path, std::string_view what, int code) {
  throw Error(rfs::format("{}: {}: {}", path.string(), what, code != 0 ? std::strerror(code) : "unknown error"));
}

void make_parent(const fs::path& path) {
  std::error_code code;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), code);
  if (code) fail(path.parent_path(), "cannot make this folder", code.value());
}

/// Flushes a file's content, or a folder's entries, to disk. Returns 0 or the error code.
int flush_to_disk(const fs::path& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return errno;
  const int error = fsync(file) == 0 ? 0 : errno;
  close(file);
  return error;
}

/// True for a shell's pipe behind /dev/stdin or <(...).
bool is_pipe_without_name(int file) {
  std::error_code ignored;
  return fs::read_symlink(rfs::format("/proc/self/fd/{}", file), ignored).string().starts_with("pipe:");
}

}  // namespace

int open_file(const fs::path& path) {
  // O_NONBLOCK, because opening a named pipe would wait for a writer.
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) fail(path, "cannot read this file", errno);
  struct stat status {};
  if (fstat(file, &status) == 0) {
    if (S_ISREG(status.st_mode)) return file;
    if (is_pipe_without_name(file) && fcntl(file, F_SETFL, 0) == 0) return file;
  }
  close(file);
  throw Error(rfs::format("{}: must be a file, got a {}", path.string(),
                          S_ISDIR(status.st_mode)    ? "folder"
                          : S_ISFIFO(status.st_mode) ? "named pipe"
                                                     : "device"));
}

std::string read_file(const fs::path& path) try {
  const int opened = open_file(path);
  const std::shared_ptr<const void> closing(nullptr, [opened](const void*) { close(opened); });
  struct stat status {};
  if (fstat(opened, &status) != 0) fail(path, "cannot read this file", errno);
  // The size is only a hint: a pipe has none, and a file may grow.
  std::string content(static_cast<size_t>(status.st_size) + 1, '\0');
  size_t size = 0;
  while (true) {
    if (size == content.size()) content.resize(2 * content.size() + 4096);
    const ssize_t count = read(opened, content.data() + size, content.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(path, "cannot read this file", errno);
    if (count == 0) break;
    size += static_cast<size_t>(count);
  }
  content.resize(size);
  return content;
} catch (const std::bad_alloc&) {
  throw too_little_memory(path);
} catch (const std::length_error&) {  // larger than the maximum string size
  throw too_little_memory(path);
}

Error too_little_memory(const fs::path& path) {
  std::error_code code;
  const auto size = fs::file_size(path, code);
  return Error(rfs::format("{}: too little memory to read this file{}; free some memory or use a smaller file",
                           path.string(), code ? "" : rfs::format(" of {:.1f} MB", static_cast<double>(size) / 1e6)));
}

void write_file(const fs::path& path, std::string_view content) {
  write_file(path, [&](std::ostream& out) { out.write(content.data(), static_cast<std::streamsize>(content.size())); });
}

void write_file(const fs::path& path, const std::function<void(std::ostream&)>& writer) {
  make_parent(path);
  const Ephemeral temporary(temporary_path(path));
  const auto give_up = [&](int code) { fail(path, "cannot write this file", code); };
  {
    errno = 0;
    std::ofstream out(temporary.path(), std::ios::binary | std::ios::trunc);
    if (!out) give_up(errno);
    writer(out);
    out.flush();
    if (!out) give_up(errno);
  }
  if (const int error = flush_to_disk(temporary.path()); error != 0) give_up(error);
  std::error_code code;
  fs::rename(temporary.path(), path, code);
  if (code) give_up(code.value());
  // Errors are ignored: some file systems cannot flush folders, and the file itself is complete.
  flush_to_disk(path.has_parent_path() ? path.parent_path() : ".");
}

void append_file(const fs::path& path, std::string_view content) {
  make_parent(path);
  const int file = open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) fail(path, "cannot write this file", errno);
  const off_t before = lseek(file, 0, SEEK_END);
  const ssize_t written = write(file, content.data(), content.size());
  const bool whole = written == static_cast<ssize_t>(content.size());
  int code = written < 0 ? errno : ENOSPC;
  if (written > 0 && !whole && ftruncate(file, before) != 0) code = errno;
  close(file);
  if (!whole) fail(path, "cannot write this file", code);
}

void append_line(const fs::path& path, std::string_view line) {
  append_file(path, std::string(line) + '\n');
}

void require_writable(const fs::path& folder) {
  make_parent(folder / "x");
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored))
    throw Error(rfs::format("{}: this is a file; name a folder", folder.string()));
  remove_abandoned(folder);
  const Ephemeral probe(temporary_path(folder / "writable"));
  if (!std::ofstream(probe.path())) fail(folder, "cannot write into this folder", errno);
}

}  // namespace rfs
