#include "rfs/core/words.h"

#include <gtest/gtest.h>

namespace rfs {
namespace {

TEST(Words, QuotesWhatAShellWouldSplit) {
  EXPECT_EQ(shell_word("runs/a-1"), "runs/a-1");
  EXPECT_EQ(shell_word("my runs"), "'my runs'");
  EXPECT_EQ(shell_word("a'b"), "'a'\\''b'");
  EXPECT_EQ(shell_word(""), "''");
}

}  // namespace
}  // namespace rfs
