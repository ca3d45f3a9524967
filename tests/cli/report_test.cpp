// `rfs report` where figures cannot be written, and runs of odd names.

#include <gtest/gtest.h>

#include <algorithm>

#include "program.h"
#include "rfs/records/run.h"

namespace rfs {
namespace {

/// An evaluated run, without a model.
void add_run(const Scratch& scratch, const std::string& name) {
  const rfs::Run run(scratch.path() / name);
  const std::string settings = "[task]\nuse = \"copy\"\n";
  scratch.write(name + "/settings.toml", settings);
  run.write(TrainRecord{10, 100, 23, 1000, 2.0, 0.5, 10, {}, 0, {}});
  EvalRecord eval;
  eval.settings = settings;
  for (int64_t length = 1; length < 20; ++length) eval.lengths.push_back({length, length % 3, 10, length < 10});
  run.write(eval);
}

TEST(Report, KeepsItsFiguresOnAFullDisk) {
  const Scratch scratch;
  add_run(scratch, "run");
  ASSERT_EQ(run_program("report run", scratch.path()).code, 0);
  const auto before = scratch.read("run/report/accuracy.png");
  // No file may become larger than 30 KB, as if the disk were full, and nobody is killed for it: gnuplot does not mind.
  ASSERT_GT(before.size(), 40'000u);
  const auto outcome = run_program("report run", scratch.path(), "trap '' XFSZ; ulimit -f 60;");
  EXPECT_EQ(outcome.code, 2) << outcome.error;
  EXPECT_EQ(outcome.error,
            "rfs: run/report/accuracy.png: gnuplot wrote an incomplete image; free some disk space and draw it again "
            "(an earlier figure is kept)\n");
  EXPECT_EQ(scratch.read("run/report/accuracy.png"), before);
}

TEST(Report, TakesRunsOfAnyName) {
  for (const std::string name : {"'x", "a''b", "x\n5 0.5 0.5 0.5 1\n6 0.5 0.5 0.5 1", "`id` $HOME \"\\", "<script>"}) {
    const Scratch scratch;
    add_run(scratch, name);
    std::string quoted = "'";
    for (const char c : name) quoted += c == '\'' ? "'\\''" : std::string(1, c);
    const auto outcome = run_program("report --out out " + quoted + "'", scratch.path());
    EXPECT_EQ(outcome.code, 0) << name << ": " << outcome.error;
    const auto data = scratch.read("out/accuracy.dat");
    EXPECT_EQ(std::count(data.begin(), data.end(), '\n'), 3 + 19 + 2) << data;
    EXPECT_EQ(scratch.read("out/table.md").find("<script>"), std::string::npos);
  }
}

}  // namespace
}  // namespace rfs
