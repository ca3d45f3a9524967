#include "experiments_folder.h"

#include <cstdlib>

#include "rfs/core/error.h"
#include "rfs/core/format.h"

namespace rfs {

std::filesystem::path experiments_folder() {
  std::error_code ignored;
  if (const char* chosen = std::getenv("RFS_EXPERIMENTS"); chosen && *chosen) return chosen;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", ignored);
  const auto installed = program.parent_path().parent_path() / "share/rfs/experiments";
  for (const auto& folder : {installed, std::filesystem::path(RFS_EXPERIMENTS)}) {
    if (std::filesystem::exists(folder / "demo.toml", ignored)) return folder;
  }
  throw Error(rfs::format("experiments: not found in {} or {}; set RFS_EXPERIMENTS to their folder", installed.string(),
                          RFS_EXPERIMENTS));
}

}  // namespace rfs
