#pragma once

#include <filesystem>

namespace rfs {

/// Where the files of experiments are: the folder that RFS_EXPERIMENTS names, else beside the installed program, else
/// in the source tree it was built from. Throws Error where there is none.
std::filesystem::path experiments_folder();

}  // namespace rfs
