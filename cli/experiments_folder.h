#pragma once

#include <filesystem>

namespace rfs {

/// The folder with the experiment files: RFS_EXPERIMENTS if set, else next to the installed program, else in the source
/// tree it was built from. Throws Error if there is none.
std::filesystem::path experiments_folder();

}  // namespace rfs
