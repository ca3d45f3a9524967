// Signals, standard output, terminals, and files left by killed processes.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

#include "../dead_process.h"
#include "program.h"
#include "rfs/core/files.h"

namespace rfs {
namespace {

namespace fs = std::filesystem;

class Stop : public testing::Test {
 protected:
  void SetUp() override { scratch.write("tiny.toml", tiny_settings); }
  const Scratch scratch;
};

/// Sends a signal to the program shortly after it has installed its handlers. HUP, INT, USR1 and TERM are bits 0, 1, 9
/// and 14 of SigCgt; a sanitizer may handle other signals.
std::string soon(const std::string& signal) {
  return one_thread +
         "(until grep -q 'SigCgt:.*[4-7c-f][2367abef].[37bf]$' /proc/$$/status; do sleep 0.02; done; sleep 0.2; kill "
         "-" +
         signal + " $$) &";
}

TEST_F(Stop, OneSignalEndsWhatMakesData) {
  const std::string many =
      " tiny.toml --set task.train_samples=3000000 --set task.train_lengths=[2,30] "
      "--set task.test_lengths=[31,32] --set task.words=50 ";
  for (const auto& [verb, signal] : std::vector<std::pair<std::string, std::string>>{
           {"data stats", "TERM"}, {"data show", "INT"}, {"data make --out x", "INT"}, {"train --out x", "INT"}}) {
    const auto begin = std::chrono::steady_clock::now();
    const auto outcome = kill_program(verb + many, scratch.path(), soon(signal), 20);
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    EXPECT_EQ(outcome.code, 130) << verb;
    EXPECT_EQ(outcome.error, "rfs: stopped\n") << verb;
    EXPECT_LT(passed.count(), 10) << verb << " takes 20 s to its end";
    EXPECT_EQ(names(scratch.path()), std::set<std::string>{"tiny.toml"}) << verb;
  }
}

TEST_F(Stop, AFullStandardOutputIsAnError) {
  for (const std::string verb : {"--help", "--version", "list", "show tiny.toml", "train --help",
                                 "data stats tiny.toml", "data make tiny.toml --out made"}) {
    const auto outcome = run_program(verb, scratch.path(), one_thread + "exec >/dev/full;");
    EXPECT_EQ(outcome.code, 2) << verb;
    EXPECT_EQ(outcome.error, "rfs: standard output: cannot write: No space left on device\n") << verb;
  }
  // A reader that closes the pipe early is not an error.
  EXPECT_EQ(run_program("list | head -c 3", scratch.path()).error, "");
}

TEST_F(Stop, AFileOverItsLimitIsAnError) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "NOT TESTED: the sanitizer itself needs larger files than the test allows";
#endif
  const auto outcome = run_program("data make tiny.toml --out made", scratch.path(), one_thread + "ulimit -f 8;");
  EXPECT_EQ(outcome.code, 2) << outcome.error;
  EXPECT_NE(outcome.error.find("cannot write this file: File too large"), std::string::npos) << outcome.error;
  EXPECT_EQ(names(scratch.path()), std::set<std::string>{"tiny.toml"});
}

TEST_F(Stop, TheNextCommandRemovesWhatAKilledOneLeft) {
  const auto leave = [&](const std::string& name) {
    const fs::path left = temporary_path_of_the_dead(scratch.path() / name);
    write_file(left / "model.safetensors", "half");
    return left;
  };
  const fs::path living = temporary_path(scratch.path() / "other");  // of this process, which is alive
  write_file(living / "model.safetensors", "half");
  auto left = leave("made");
  ASSERT_EQ(run_program("data make tiny.toml --out made", scratch.path(), one_thread).code, 0);
  EXPECT_FALSE(fs::exists(left)) << "of the same command";
  left = leave("exported");
  ASSERT_EQ(run_program("data make tiny.toml --out again", scratch.path(), one_thread).code, 0);
  EXPECT_FALSE(fs::exists(left)) << "of one that wrote beside it";
  EXPECT_TRUE(fs::exists(living / "model.safetensors"));
  ASSERT_EQ(run_program("train tiny.toml --out run", scratch.path(), one_thread).code, 0);
  left = leave("run/eval.json");
  ASSERT_EQ(run_program("eval run", scratch.path(), one_thread).code, 0);
  EXPECT_FALSE(fs::exists(left));
  left = leave("run/report/.drawing");
  const auto outcome = run_program("report run", scratch.path(), one_thread);
  ASSERT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_FALSE(fs::exists(left));
  EXPECT_EQ(names(scratch.path()), (std::set<std::string>{"again", "made", living.filename(), "run", "tiny.toml"}));
}

TEST_F(Stop, ARunKilledBeforeItsFirstFileIsBegun) {
  write_file(temporary_path_of_the_dead(scratch.path() / "x/1/settings.toml"), "half");
  const auto outcome = run_program("train tiny.toml --set train.seed=[1,2] --out x", scratch.path(), one_thread);
  EXPECT_EQ(outcome.code, 0) << outcome.error;
}

/// gnuplot inherits the program's environment, so a fake gnuplot can record it.
TEST_F(Stop, SpinsBrieflyUnlessTold) {
  scratch.write("gnuplot.sh", "#!/bin/sh\necho \"$GOMP_SPINCOUNT\" > ../../seen\nexit 1\n");
  fs::permissions(scratch.path() / "gnuplot.sh", fs::perms::owner_all);
  const auto seen = [&](const std::string& before) {
    run_program("data stats tiny.toml --out figure", scratch.path(),
                "unset GOMP_SPINCOUNT OMP_WAIT_POLICY; export RFS_GNUPLOT=$PWD/gnuplot.sh;" + before);
    return scratch.read("seen");
  };
  EXPECT_EQ(seen(""), "1000\n");
  EXPECT_EQ(seen("export GOMP_SPINCOUNT=7;"), "7\n");
  EXPECT_EQ(seen("export OMP_WAIT_POLICY=passive;"), "\n");
}

/// What the program prints to its standard error on a terminal with `columns` columns.
std::string shown_on_a_terminal(const std::string& arguments, const fs::path& folder, unsigned short columns) {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  EXPECT_EQ(grantpt(terminal), 0);
  EXPECT_EQ(unlockpt(terminal), 0);
  const winsize size{24, columns, 0, 0};
  EXPECT_EQ(ioctl(terminal, TIOCSWINSZ, &size), 0);
  std::string text;
  const int held = open(ptsname(terminal), O_RDWR | O_NOCTTY | O_CLOEXEC);  // reading would end if nobody had it open
  std::thread reader([&] {
    char buffer[4096];
    for (ssize_t count = 0; (count = read(terminal, buffer, sizeof(buffer))) > 0;) {
      text.append(buffer, static_cast<size_t>(count));
    }
  });
  const auto outcome = run_program(arguments, folder, one_thread + "exec 2>" + ptsname(terminal) + ";");
  EXPECT_EQ(outcome.code, 0);
  close(held);
  reader.join();
  close(terminal);
  return text;
}

TEST_F(Stop, TheBarFitsItsTerminal) {
  for (const auto columns : std::vector<unsigned short>{1, 20, 80}) {
    const auto text = shown_on_a_terminal(
        "train tiny.toml --set train.steps=500 --set train.log_every=10 --out run" + std::to_string(columns),
        scratch.path(), columns);
    const std::string end = "\033[K";
    int bars = 0;
    for (size_t begin = text.find('\r'), stop = 0; begin != std::string::npos; begin = text.find('\r', begin + 1)) {
      stop = text.find_first_of("\r\n", begin + 1);
      const std::string line = text.substr(begin + 1, stop - begin - 1);
      if (!line.ends_with(end) || line.find("trained: ") != std::string::npos) continue;  // not a progress bar
      ++bars;
      const auto width = std::count_if(line.begin(), line.end() - static_cast<std::ptrdiff_t>(end.size()),
                                       [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; });
      EXPECT_LT(width, std::max<int>(columns, 1)) << line;
    }
    EXPECT_GT(bars, 0) << text;
  }
}

}  // namespace
}  // namespace rfs
