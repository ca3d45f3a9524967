#include "rfs/records/long_record.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "rfs/core/error.h"
#include "rfs/core/files.h"

namespace rfs {
namespace {

namespace fs = std::filesystem;

TEST(LongRecords, AreWrittenAndRead) {
  const fs::path folder = fs::temp_directory_path() / ("rfs_long_record_test_" + std::to_string(getpid()));
  const rfs::Run run(folder);
  LongRecord record;
  record.task = "passkey";
  record.samples = 1;
  record.seed = 7;
  record.trained_length = 256;
  record.settings = "[eval]\n";
  record.provenance = {{"commit", "abc"}};
  record.add({1024, 50, 1, -0.5, {{1000, {"123"}, " 123\xff", 1}}});
  record.add({512, 100});
  record.add({512, 0});
  record.add({512});
  write_long_record(run, record);
  EXPECT_EQ(long_tasks(run), std::vector<std::string>{"passkey"});
  const auto read = read_long_record(run, "passkey");
  std::vector<std::pair<int64_t, int64_t>> places;
  for (const auto& cell : read.cells) places.emplace_back(cell.length, cell.depth);
  EXPECT_EQ(places, (std::vector<std::pair<int64_t, int64_t>>{{512, -1}, {512, 0}, {512, 100}, {1024, 50}}));
  EXPECT_FALSE(read.find(1024, 0));
  const auto* cell = read.find(1024, 50);
  ASSERT_TRUE(cell);
  EXPECT_EQ(cell->score, 1);
  EXPECT_EQ(cell->log_likelihood, -0.5);
  EXPECT_EQ(cell->answers.front().given, " 123\xef\xbf\xbd") << "a broken character is replaced";
  EXPECT_EQ(cell->answers.front().references, std::vector<std::string>{"123"});
  EXPECT_FALSE(read.find(512, 0)->log_likelihood);
  EXPECT_EQ(read.seed, 7);
  EXPECT_EQ(read.trained_length, 256);
  EXPECT_EQ(read.provenance.at("commit"), "abc");
  write_file(folder / "long-passkey.json", "{}");
  EXPECT_THROW(read_long_record(run, "passkey"), Error);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace rfs
