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
    throw Error(rfs::format("{}: must name the file {} ({}), got '{}' where there is none", file.option, file.name,
                            file.published, shortened(given)));
  }
  const char* folder = std::getenv("RFS_DATA");
  const fs::path path = fs::path(folder && *folder ? folder : "data") / file.name;
  if (fs::is_regular_file(path, ignored)) return path;
  throw Error(
      rfs::format("{}: this file is needed ({}); put it there, let RFS_DATA name the folder that has {}, or set {}",
                  path.string(), file.published, file.name, file.option));
}

}  // namespace rfs
