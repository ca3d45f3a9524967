// Heat maps of length by depth: of evaluated tasks, and of the long-context suite.

#include "rfs/report/depth_map.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

#include "rfs/core/files.h"
#include "rfs/report/long_context.h"
#include "rfs/report/report.h"

namespace rfs {
namespace {

namespace fs = std::filesystem;

class DepthMaps : public testing::Test {
 protected:
  fs::path folder = fs::temp_directory_path() / ("rfs_depth_map_test_" + std::to_string(getpid()));

  void TearDown() override { fs::remove_all(folder); }

  rfs::Run add_run(const std::string& name, int seed) const {
    const rfs::Run run(folder / "runs" / name);
    const std::string settings = "[task]\nuse = \"needle\"\n[train]\nseed = " + std::to_string(seed) + "\n";
    write_file(run.file("settings.toml"), settings);
    run.write(TrainRecord{10, 100, 23, 1000, 2.0, 0.5, 10, {}, 0, {{"commit", "abc"}}});
    EvalRecord eval;
    eval.settings = settings;
    eval.lengths = {{16, 4, 4, true, {}, {{0, 1, 1}, {25, 3, 3}}},
                    {17, 3, 4, true, {}, {{0, 0, 1}, {25, 3, 3}}},
                    {64, 2, 8, false, {}, {{0, 2, 4}, {100, 0, 4}}}};
    run.write(eval);
    return run;
  }
};

TEST_F(DepthMaps, PoolTrainedLengthsAndSeeds) {
  add_run("a", 1);
  add_run("b", 2);
  const auto series = read_series({folder / "runs"});
  const HeatMap map = depth_map(series);
  EXPECT_EQ(map.columns, (std::vector<std::string>{"trained, up to 17", "64"}));
  ASSERT_EQ(map.rows.size(), 3u);
  EXPECT_EQ(map.rows[0].name, "depth 0 %");
  EXPECT_EQ(map.rows[0].values, (std::vector<std::optional<double>>{0.5, 0.5}));
  EXPECT_EQ(map.rows[1].values, (std::vector<std::optional<double>>{1.0, std::nullopt}));
  EXPECT_EQ(map.rows[2].values, (std::vector<std::optional<double>>{std::nullopt, 0.0}));
  EXPECT_NE(map.notes[1].find("4 samples or more"), std::string::npos) << map.notes[1];
  if (std::system("gnuplot --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no gnuplot";
  write_report(series, folder / "report");
  EXPECT_TRUE(fs::exists(folder / "report" / "depth.png"));
  EXPECT_NE(read_file(folder / "report" / "index.html").find("Exact match by length and depth"), std::string::npos);
}

TEST_F(DepthMaps, AreEmptyWithoutDepths) {
  const auto run = add_run("a", 1);
  EvalRecord eval = run.eval_record();
  for (auto& length : eval.lengths) length.depths.clear();
  run.write(eval);
  EXPECT_EQ(read_file(run.file("eval.json")).find("depths"), std::string::npos);
  EXPECT_TRUE(depth_map(read_series({folder / "runs"})).rows.empty());
}

TEST_F(DepthMaps, ShowTheSuiteOfSeveralRuns) {
  LongRecord passkey, common;
  passkey.task = "passkey";
  passkey.samples = common.samples = 20;
  passkey.trained_length = common.trained_length = 256;
  passkey.add({512, 0, 0.25, -1.5, {{500, {"7"}, "<b>", 0}}});
  passkey.add({512, 50, 0.5, -1.25, {{500, {"7"}, "<b>", 0}}});
  passkey.add({1024, 0, 0.75, -2.0});
  common.task = "common_words";
  common.add({512, -1, 1});
  for (const char* name : {"a", "b"}) {
    const auto run = add_run(name, 1);
    write_long_record(run, passkey);
    if (std::string(name) == "a") write_long_record(run, common);
  }
  add_run("not_scored", 2);
  const auto scores = read_long_scores({folder / "runs", folder / "runs" / "a"});
  ASSERT_EQ(scores.size(), 2u);
  const HeatMap map = long_map(scores);
  EXPECT_EQ(map.columns, (std::vector<std::string>{"512 tokens", "1024 tokens"}));
  std::vector<std::string> names;
  for (const auto& row : map.rows) names.push_back(row.name);
  EXPECT_EQ(names, (std::vector<std::string>{"common_words, a", "passkey, a, depth 0 %", "passkey, a, depth 50 %",
                                             "passkey, b, depth 0 %", "passkey, b, depth 50 %"}));
  EXPECT_EQ(map.rows[1].values, (std::vector<std::optional<double>>{0.25, 0.75}));
  EXPECT_EQ(map.rows[0].values, (std::vector<std::optional<double>>{1.0, std::nullopt}));
  const std::string table = long_table(scores);
  EXPECT_NE(table.find("-1.50"), std::string::npos) << table;
  EXPECT_EQ(table.find("common_words", table.find("log-likelihood")), std::string::npos) << table;
  if (std::system("gnuplot --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no gnuplot";
  write_long_report(scores, folder / "report");
  const std::string page = read_file(folder / "report" / "index.html");
  EXPECT_NE(page.find("<svg"), std::string::npos);
  EXPECT_EQ(page.find("<b>"), std::string::npos);
  EXPECT_EQ(read_file(folder / "report" / "long.md"), table);
}

}  // namespace
}  // namespace rfs
