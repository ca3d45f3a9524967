#include "new_folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include "rfs/core/error.h"
#include "rfs/core/files.h"

namespace rfs {
namespace fs = std::filesystem;

void require_new(const fs::path& path) {
  std::error_code ignored;
  const bool empty_folder = fs::is_directory(path, ignored) && fs::is_empty(path, ignored);
  if (fs::exists(path, ignored) && !empty_folder) {
    throw Error(fmt::format("{}: must not be there yet, got something that would be overwritten", path.string()));
  }
}

void make_folder(const fs::path& path, const std::function<void(const fs::path&)>& fill) {
  fs::path whole = path;
  if (!whole.has_filename()) whole = whole.parent_path();  // "folder/"
  const fs::path part = whole.string() + fmt::format(".{}.part", getpid());
  require_writable(part);
  try {
    fill(part);
    fs::rename(part, whole);
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(part, ignored);
    throw;
  }
}

}  // namespace rfs
