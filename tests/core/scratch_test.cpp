#include "rfs/core/scratch.h"

#include <gtest/gtest.h>

#include "rfs/core/error.h"

namespace rfs {
namespace {

TEST(Scratch, IsMemoryThatLeavesNothingBehind) {
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
    const Scratch scratch(1 << 20, folder);
    scratch.bytes().back() = std::byte{7};
    owner = scratch.owner();
    EXPECT_EQ(scratch.bytes().size(), size_t{1} << 20);
  }
  EXPECT_EQ(owner.get()[(1 << 20) - 1], std::byte{7});
  EXPECT_EQ(count(), before);
}

TEST(Scratch, SaysWhereThereIsNoRoom) {
  EXPECT_THROW(Scratch(8, "/nowhere"), Error);
  EXPECT_THROW(Scratch(size_t{1} << 60, std::filesystem::temp_directory_path()), Error);
  EXPECT_TRUE(Scratch(0, "/nowhere").bytes().empty());
}

}  // namespace
}  // namespace rfs
