#include "rfs/core/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <vector>

#include "rfs/core/error.h"

namespace rfs {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void fail(const fs::path& path, std::string_view what, int code) {
  throw Error(fmt::format("{}: {}: {}", path.string(), what, code != 0 ? std::strerror(code) : "unknown error"));
}

void make_parent(const fs::path& path) {
  std::error_code code;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), code);
  if (code) fail(path.parent_path(), "cannot make this folder", code.value());
}

/// Makes a file's content, or a folder's names, outlast a power cut. Returns 0 or the error.
int flush_to_disk(const fs::path& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return errno;
  const int error = fsync(file) == 0 ? 0 : errno;
  close(file);
  return error;
}

constexpr const char* part = ".part";

}  // namespace

std::string read_file(const fs::path& path) {
  std::error_code code;
  if (fs::is_directory(path, code)) throw Error(fmt::format("{}: must be a file, got a folder", path.string()));
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) fail(path, "cannot read this file", errno);
  std::ostringstream content;
  if (in.peek() != std::ifstream::traits_type::eof()) content << in.rdbuf();
  if (in.bad() || content.bad()) fail(path, "cannot read this file", errno);
  return std::move(content).str();
}

void write_file(const fs::path& path, std::string_view content) {
  write_file(path, [&](std::ostream& out) { out.write(content.data(), static_cast<std::streamsize>(content.size())); });
}

void write_file(const fs::path& path, const std::function<void(std::ostream&)>& writer) {
  make_parent(path);
  const fs::path temporary = fmt::format("{}.{}{}", path.string(), getpid(), part);
  const auto give_up = [&](int code) {
    std::error_code ignored;
    fs::remove(temporary, ignored);
    fail(path, "cannot write this file", code);
  };
  {
    errno = 0;
    std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
    if (!out) fail(path, "cannot write this file", errno);
    try {
      writer(out);
    } catch (...) {
      std::error_code ignored;
      fs::remove(temporary, ignored);
      throw;
    }
    out.flush();
    if (!out) give_up(errno);
  }
  if (const int error = flush_to_disk(temporary); error != 0) give_up(error);
  std::error_code code;
  fs::rename(temporary, path, code);
  if (code) give_up(code.value());
  flush_to_disk(path.has_parent_path() ? path.parent_path() : ".");  // not every file system can; the file is whole
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

void remove_parts(const fs::path& folder) {
  std::error_code ignored;
  std::vector<fs::path> parts;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().extension() == part) parts.push_back(entry.path());
  }
  for (const auto& path : parts) fs::remove(path, ignored);
}

void require_writable(const fs::path& folder) {
  make_parent(folder / "x");
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) throw Error(fmt::format("{}: must be a folder, got a file", folder.string()));
  const fs::path probe = folder / ".writable";
  if (!std::ofstream(probe))
    throw Error(fmt::format("{}: must be a folder to write into, got {}", folder.string(), std::strerror(errno)));
  fs::remove(probe, ignored);
}

}  // namespace rfs
