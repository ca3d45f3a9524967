#include "rfs/core/data_files.h"

#include <fmt/format.h>

#include <cstdlib>

#include "rfs/core/error.h"

namespace rfs {
namespace fs = std::filesystem;

fs::path find_data_file(const DataFile& file, const std::string& given) {
  std::error_code ignored;
  if (!given.empty()) {
    if (fs::is_regular_file(given, ignored)) return given;
    throw Error(fmt::format("{}: must name the file {} ({}), got '{}' where there is none", file.option, file.name,
                            file.published, given));
  }
  const char* folder = std::getenv("RFS_DATA");
  const fs::path path = fs::path(folder && *folder ? folder : "data") / file.name;
  if (fs::is_regular_file(path, ignored)) return path;
  throw Error(
      fmt::format("{}: this file is needed ({}); put it there, let RFS_DATA name the folder that has {}, or set {}",
                  path.string(), file.published, file.name, file.option));
}

}  // namespace rfs
