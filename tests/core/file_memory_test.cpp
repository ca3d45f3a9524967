#include "rfs/core/file_memory.h"

#include <gtest/gtest.h>

#include "rfs/core/error.h"

namespace rfs {
namespace {

TEST(FileMemory, IsMemoryThatLeavesNothingBehind) {
  const auto folder = std::filesystem::temp_directory_path();
  const auto count = [&] {
    size_t found = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      found += entry.path().filename().string().starts_with("rfs-scratch-");
    }
    return found;
  };
  const size_t before = count();
  std::shared_ptr<std::byte> owner;
  {
    const FileMemory memory(1 << 20, folder);
    memory.bytes().back() = std::byte{7};
    owner = memory.owner();
    EXPECT_EQ(memory.bytes().size(), size_t{1} << 20);
  }
  EXPECT_EQ(owner.get()[(1 << 20) - 1], std::byte{7});
  EXPECT_EQ(count(), before);
}

TEST(FileMemory, SaysWhereThereIsNoRoom) {
  EXPECT_THROW(FileMemory(8, "/nowhere"), Error);
  EXPECT_THROW(FileMemory(size_t{1} << 60, std::filesystem::temp_directory_path()), Error);
  EXPECT_TRUE(FileMemory(0, "/nowhere").bytes().empty());
}

}  // namespace
}  // namespace rfs
