#pragma once

#include <cstdlib>
#include <filesystem>

namespace rfs {

/// Lets RFS_DATA name the folder of files that users bring: as it is set, or ../shared/data beside the project. False
/// where there is neither; the test that needs it then says that it was skipped.
inline bool have_data() {
  if (const char* folder = std::getenv("RFS_DATA"); folder && *folder) return true;
  const auto beside = std::filesystem::path(RFS_SOURCE) / "../shared/data";
  std::error_code ignored;
  if (!std::filesystem::is_directory(beside, ignored)) return false;
  setenv("RFS_DATA", beside.c_str(), 1);
  return true;
}

}  // namespace rfs

#define RFS_NEEDS_DATA() \
  if (!rfs::have_data()) GTEST_SKIP() << "NOT TESTED: needs data files (T5's spiece.model, SCAN): set RFS_DATA"
