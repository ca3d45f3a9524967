#include "rfs/core/data_files.h"

#include <cstdlib>

#include "rfs/core/error.h"
#include "rfs/core/format.h"

namespace rfs {
namespace fs = std::filesystem;

fs::path find_data_file(const DataFile& file, const std::string& given) {
  std::error_code ignored;
  if (!given.empty()) {
    if (fs::is_regular_file(given, ignored)) return given;
    throw Error(rfs::format("{}: no file '{}'; set it to the path of {} ({})", file.option, shortened(given), file.name,
                            file.published));
  }
  const char* folder = std::getenv("RFS_DATA");
  const fs::path path = fs::path(folder && *folder ? folder : "data") / file.name;
  if (fs::is_regular_file(path, ignored)) return path;
  throw Error(
      rfs::format("{}: file not found ({}); put it there, set RFS_DATA to the folder that contains {}, or set {}",
                  path.string(), file.published, file.name, file.option));
}

}  // namespace rfs
