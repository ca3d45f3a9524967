#include "rfs/core/version.h"

#include "rfs_commit.h"  // written by cmake/commit.cmake at each build

namespace rfs {

const std::string version = RFS_VERSION;
const std::string compiler = RFS_COMPILER;
std::string commit() {
  return RFS_COMMIT;
}

}  // namespace rfs
