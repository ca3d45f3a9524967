#include "rfs/core/temporary.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <set>

#include "../dead_process.h"
#include "rfs/core/files.h"

namespace rfs {
namespace {

namespace fs = std::filesystem;

class Temporaries : public testing::Test {
 protected:
  fs::path folder = fs::temp_directory_path() / ("rfs_temporary_test_" + std::to_string(getpid()));
  void SetUp() override { fs::create_directories(folder); }
  void TearDown() override { fs::remove_all(folder); }

  std::set<std::string> names() const {
    std::set<std::string> all;
    for (const auto& entry : fs::directory_iterator(folder)) all.insert(entry.path().filename());
    return all;
  }
  static fs::path with_host(const fs::path& path, const std::string& host) {
    std::string name = temporary_path(path).string();
    return name.replace(name.rfind('-') - host.size(), host.size(), host);
  }
};

TEST_F(Temporaries, OfDeadProcessesAreRemoved) {
  write_file(temporary_path_of_the_dead(folder / "model"), "half");
  write_file(temporary_path_of_the_dead(folder / "export") / "model", "half");
  write_file(folder / "kept", "");
  remove_abandoned(folder);
  remove_abandoned(folder / "missing");
  EXPECT_EQ(names(), std::set<std::string>{"kept"});
}

TEST_F(Temporaries, OfLivingProcessesStay) {
  const std::set<fs::path> living = {temporary_path(folder / "own"), temporary_path_of(1, folder / "init")};
  for (const auto& path : living) write_file(path, "");
  remove_abandoned(folder);
  require_writable(folder);
  for (const auto& path : living) EXPECT_TRUE(fs::exists(path)) << path;
}

TEST_F(Temporaries, OfOtherHostsStayForADay) {
  const fs::path fresh = with_host(folder / "fresh", "0123abcd"), old = with_host(folder / "old", "0123abcd");
  for (const auto& path : {fresh, old}) write_file(path, "");
  fs::last_write_time(old, fs::file_time_type::clock::now() - std::chrono::hours(25));
  remove_abandoned(folder);
  EXPECT_EQ(names(), std::set<std::string>{fresh.filename()});
}

TEST_F(Temporaries, FilesOfUsersStay) {
  const std::string dead = temporary_path_of_the_dead(folder / "x").filename();
  const std::set<std::string> users = {"video.part",
                                       "video.123.part",
                                       "video.999999.part",
                                       "notes.rfs-1.part",
                                       "notes.rfs-0123abcd.part",
                                       "notes.rfs-0123abcd-.part",
                                       "notes.rfs-0123abcd-12x.part",
                                       "notes.rfs-0123abcd-01.part",
                                       "notes.rfs-0123abcg-12.part",
                                       "notes.rfs-0123abcd--12.part",
                                       "notes.rfs-0123abcd-99999999999999.part",
                                       dead + ".txt",
                                       dead.substr(1)};
  for (const auto& name : users) write_file(folder / name, "");
  for (const auto& entry : fs::directory_iterator(folder)) {
    fs::last_write_time(entry.path(), fs::file_time_type::clock::now() - std::chrono::hours(100));
  }
  remove_abandoned(folder);
  EXPECT_EQ(names(), users);
}

TEST_F(Temporaries, DoNotFillAFolder) {
  EXPECT_EQ(first_entry(folder / "missing"), "");
  fs::create_directories(folder / "a" / "b");
  write_file(temporary_path_of_the_dead(folder / "a" / "settings.toml"), "");
  write_file(temporary_path(folder / "settings.toml"), "");
  EXPECT_EQ(first_entry(folder), "");
  write_file(folder / "a" / "b" / "c.txt", "");
  EXPECT_EQ(first_entry(folder), "a");
  EXPECT_EQ(first_entry(folder / "a" / "b"), "c.txt");
}

}  // namespace
}  // namespace rfs
