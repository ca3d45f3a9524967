#include "rfs/report/scores.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "rfs/core/error.h"
#include "rfs/core/files.h"

namespace rfs {
namespace {

namespace fs = std::filesystem;

class ScoreTables : public testing::Test {
 protected:
  fs::path folder = fs::temp_directory_path() / ("rfs_score_table_test_" + std::to_string(getpid()));
  void TearDown() override { fs::remove_all(folder); }

  /// Adds a run that is scored on one benchmark, with `id` and `ood` as its accuracies.
  void add(const std::string& name, const std::string& positions, const std::string& benchmark, int64_t trained,
           double id, double ood, int64_t documents = 4, int64_t steps = 3) {
    const rfs::Run run(folder / name);
    write_file(run.file("settings.toml"), "[train]\n");
    ScoreRecord record;
    record.benchmark = benchmark;
    record.title = benchmark == "arc_easy" ? "ARC-Easy" : "BoolQ";
    record.context_size = benchmark == "arc_easy" ? 28 : 130;
    record.trained_length = trained;
    record.settings = "[positions]\nuse = \"" + positions +
                      "\"\n[encoding]\nuse = \"rope\"\n[train]\nsteps = " + std::to_string(steps) + "\n";
    record.id = {documents, id, 0.1, {}, {}};
    record.ood = {6, ood, 0.1, {}, {}};
    record.all = {documents + 6, 0.5, 0.1, {}, {}};
    if (benchmark == "arc_easy") record.id.acc_norm = id + 0.1, record.id.acc_norm_stderr = 0.2;
    write_scores(run, record, {});
  }
};

TEST_F(ScoreTables, TakeTheRunOfTheNearestWindow) {
  add("rfs-28", "random_float", "arc_easy", 29, 0.5, 0.25);
  add("rfs-130", "random_float", "arc_easy", 131, 0.9, 0.9);
  add("rfs-130", "random_float", "boolq", 131, 0.75, 0.5);
  add("simple-28", "sequential", "arc_easy", 29, 0.25, 0.5);
  const auto table = read_score_table({folder}, false);
  ASSERT_EQ(table.columns.size(), 2u);
  EXPECT_EQ(table.columns[0].title, "ARC-Easy");
  EXPECT_EQ(table.columns[1].ood, 6);
  ASSERT_EQ(table.rows.size(), 4u);
  EXPECT_EQ(table.rows[0].label, "RoPE, simple extension");
  EXPECT_EQ(table.rows[1].label, "RoPE, RFS");
  EXPECT_TRUE(table.rows[1].id);
  EXPECT_FALSE(table.rows[3].id);
  EXPECT_DOUBLE_EQ(table.rows[1].cells[0]->value, 0.5);
  EXPECT_DOUBLE_EQ(table.rows[3].cells[0]->value, 0.25);
  EXPECT_DOUBLE_EQ(*table.rows[1].average(), 0.625);
  EXPECT_FALSE(table.rows[0].cells[1]);
  EXPECT_FALSE(table.rows[0].average());
  EXPECT_DOUBLE_EQ(read_score_table({folder}, true).rows[1].cells[0]->value, 0.6);
  EXPECT_DOUBLE_EQ(read_score_table({folder}, true).rows[1].cells[1]->value, 0.75);

  const std::string text = score_text(table), markdown = score_markdown(table), latex = score_latex(table);
  EXPECT_NE(text.find("ID   RoPE, RFS               50.00 (10.0)  75.00 (10.0)  62.50\n"), std::string::npos) << text;
  EXPECT_NE(text.find("     Context size                      28           130\n"), std::string::npos) << text;
  EXPECT_NE(markdown.find("| OOD | RoPE, simple extension | **50.00** (10.0) |                - |         - |"),
            std::string::npos)
      << markdown;
  EXPECT_NE(latex.find("  ID & Documents & 4 & 4 &  \\\\\n   & RoPE, simple extension & 25.00 (10.0) & - & - \\\\\n"),
            std::string::npos)
      << latex;
}

TEST_F(ScoreTables, ShowThePapersRows) {
  add("rfs-130", "random_float", "boolq", 131, 0.75, 0.5);
  add("simple-130", "sequential", "boolq", 131, 0.5, 0.5);
  auto table = read_score_table({folder}, false);
  add_published(table);
  ASSERT_EQ(table.rows.size(), 8u);
  const std::string text = score_markdown(table);
  EXPECT_NE(text.find("| OOD | paper, RFS              |            60.42 |     60.42 |"), std::string::npos) << text;
  EXPECT_NE(text.find("| ID  | RoPE, RFS               | **75.00** (10.0) | **75.00** |"), std::string::npos) << text;
}

TEST_F(ScoreTables, AverageSeeds) {
  add("1", "random_float", "boolq", 131, 0.5, 0.5);
  add("2", "random_float", "boolq", 131, 0.7, 0.5);
  const auto table = read_score_table({folder, folder}, false);
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_DOUBLE_EQ(table.rows[0].cells[0]->value, 0.6);
  EXPECT_EQ(table.rows[0].cells[0]->runs, 2);
}

TEST_F(ScoreTables, AverageNothingButSeeds) {
  add("1", "random_float", "boolq", 131, 0.5, 0.5);
  add("2", "random_float", "boolq", 131, 0.7, 0.5, 4, 5);
  try {
    read_score_table({folder}, false);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("may differ only in their seed, but train.steps is 5 here and 3 in "),
              std::string::npos)
        << error.what();
  }
}

TEST_F(ScoreTables, AreOfTheSameDocuments) {
  add("1", "random_float", "boolq", 131, 0.5, 0.5);
  add("2", "sequential", "boolq", 131, 0.7, 0.5, 5);
  EXPECT_THROW(read_score_table({folder}, false), Error);
}

TEST_F(ScoreTables, SayWhereALimitLeftDocumentsOut) {
  add("1", "random_float", "arc_easy", 29, 0.5, 0.5);
  const rfs::Run run(folder / "1");
  auto record = read_scores(run, "arc_easy");
  const auto limited = [&](int64_t limit) {
    auto other = record;
    other.settings += "[score]\nlimit = " + std::to_string(limit) + "\n";
    write_scores(run, other, {});
    return read_score_table({folder}, false).columns[0].title;
  };
  EXPECT_EQ(limited(0), "ARC-Easy");
  EXPECT_EQ(limited(11), "ARC-Easy");
  EXPECT_EQ(limited(10), "ARC-Easy (first 10)");
  write_score_report({folder}, folder / "out", false);
  for (const char* name : {"scores.txt", "scores.md", "scores.tex", "scores.gp", "scores.svg"}) {
    EXPECT_NE(read_file(folder / "out" / name).find("ARC-Easy (first 10)"), std::string::npos) << name;
  }
  EXPECT_NE(score_summary({read_scores(run, "arc_easy")}).find("| ARC-Easy (first 10) |"), std::string::npos);
}

TEST_F(ScoreTables, HaveNoErrorOfOneDocument) {
  ScoreRecord record;
  record.title = "ARC-Easy";
  summarise(record, {{{-1, -2}, {1, 1}, {1, 1}, 13, 0, false}}, true);
  EXPECT_NE(score_summary({record}).find("| ARC-Easy  |         1 | 1.0000 |      - |   1.0000 |      - |"),
            std::string::npos)
      << score_summary({record});
}

TEST_F(ScoreTables, AreWrittenAndDrawn) {
  add("1", "random_float", "arc_easy", 29, 0.5, 0.5);
  add("2", "sequential", "arc_easy", 29, 0.7, 0.5);
  write_score_report({folder}, folder / "out", false);
  EXPECT_NE(read_file(folder / "out/scores.md").find("acc_norm"), std::string::npos);
  for (const char* name : {"scores.txt", "scores.tex", "scores.svg", "scores.png", "scores.gp", "scores.dat"}) {
    EXPECT_TRUE(fs::exists(folder / "out" / name)) << name;
  }
}

}  // namespace
}  // namespace rfs
