// `rfs report` when figures cannot be written, and for runs with unusual names.

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
  // Files are limited to 30 kB, as if the disk were full, and SIGXFSZ is ignored. gnuplot does not report the error.
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

TEST(Report, ShowsWhatHeadsLookAt) {
  const Scratch scratch;
  const auto path = scratch.path();
  ASSERT_EQ(
      run_program("train " RFS_SOURCE "/experiments/demo.toml --set positions.use=random_float --set train.steps=2 "
                  "--set train.warmup=1 --set task.train_samples=64 --set task.validation_samples=2 "
                  "--set task.test_samples=2 --out run",
                  path)
          .code,
      0);
  const auto wrong = run_program("attention run --lengths 10,99", path);
  EXPECT_EQ(wrong.code, 2);
  EXPECT_EQ(wrong.error, "rfs: --lengths: run has no sample of length 99; it has lengths 2 to 20\n");
  EXPECT_FALSE(scratch.has("run/attention.json"));
  ASSERT_EQ(run_program("eval run", path).code, 0);
  ASSERT_EQ(run_program("report run", path).code, 0);
  EXPECT_EQ(scratch.read("run/report/index.html").find("<h2>Attention maps"), std::string::npos) << "only on request";
  const auto made = run_program("attention run", path);
  EXPECT_EQ(made.code, 0) << made.error;
  EXPECT_NE((made.output + made.error).find("2 layers with 4 heads at lengths 10, 15"), std::string::npos)
      << made.output << made.error;
  ASSERT_EQ(run_program("report run", path).code, 0);
  EXPECT_NE(scratch.read("run/report/index.html").find("<h2>Attention maps"), std::string::npos);
}

}  // namespace
}  // namespace rfs
