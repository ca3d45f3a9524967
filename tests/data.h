#pragma once

#include <cstdlib>
#include <filesystem>

namespace rfs {

/// Makes sure that RFS_DATA names the folder with downloaded files. If it is not set, sets it to ../shared/data beside
/// the project, if that folder exists. Returns false if there is no such folder; tests that need it are then skipped.
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
