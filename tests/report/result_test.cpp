// Figures and tables of experiments, made from records.

#include "rfs/report/result.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/report/results_page.h"

namespace rfs {
namespace {

namespace fs = std::filesystem;

class ResultFiles : public testing::Test {
 protected:
  fs::path folder = fs::temp_directory_path() / ("rfs_result_test_" + std::to_string(getpid()));
  fs::path experiments = folder / "experiments", out = folder / "out";

  void SetUp() override {
    write_file(experiments / "methods.toml",
               "[trainings]\nrope-rfs = ['encoding.use=rope']\nnone = ['encoding.use=none']\n[tests]\n"
               "rope-rfs-current = ['rope-rfs', 'current', 'eval.n_in=current']\n");
    write_file(experiments / "presets/paper.toml",
               "[train]\nseed = [1, 2]\nsteps = 10\n[tasks]\ncopy = []\nsort = []\n[longest]\ncopy = 9\n[tokens]\n"
               "copy = 5.0\n[measured]\nmachine = 'one'\ntask = 'copy'\nstep_seconds = 0.1\nparameters = 100\n");
    write_file(experiments / "lines.toml",
               "[experiment]\ntitle = 'Lines'\npaper = 'Figure 1'\nkind = 'lengths'\ntasks = ['copy', 'sort']\n"
               "[lines]\nall = ['rope-rfs', 'none', 'rope-rfs-current']\n[published]\nrows = [\n"
               "  ['copy', 'rope-rfs', 4, 5, 0.75, 'paper'],\n  ['copy', 'none', 5, 5, 0.2, 'paper'],\n]\n");
    write_file(experiments / "errors.toml",
               "[experiment]\ntitle = 'Errors'\npaper = 'Table 1'\nkind = 'errors'\ntasks = ['copy']\n[lines]\n"
               "all = ['none', 'rope-rfs']\n");
    add("rope-rfs", 1, 8, "");
    add("rope-rfs", 2, 6, "");
    add("none", 1, 0, "");
    add("rope-rfs", 1, 4, "current");
  }
  void TearDown() override { fs::remove_all(folder); }

  Plan plan(const std::string& name = "lines") const { return read_plan(experiments, name, "paper", 0); }

  void add(const std::string& training, int64_t seed, int64_t correct, const std::string& record) {
    const rfs::Run run(out / plan().run_folder("copy", training, seed));
    const std::string settings = "[task]\nuse = \"copy\"\n";
    write_file(run.file("settings.toml"), settings);
    run.write(TrainRecord{10, 100, 23, 1000, 2.0, 0.5, 10, {}, 0, {{"commit", "abc"}, {"date", "2026-01-02T03"}}});
    EvalRecord eval;
    eval.settings = settings;
    eval.lengths = {{2, 10, 10, true}, {3, 9, 10, true}, {4, correct, 10, false}, {5, correct, 10, false}};
    eval.answers = {{3, "short", "x", "y", false}, {4, "p", "a b", training + " answer", false}};
    run.write(eval, record);
  }
};

TEST_F(ResultFiles, AreReadByMethodAndSeed) {
  const auto results = read_results(plan(), out);
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].methods, (std::vector<std::string>{"rope-rfs", "none", "rope-rfs-current"}));
  EXPECT_EQ(results[0].series[0].runs.size(), 2u);
  EXPECT_DOUBLE_EQ(results[0].series[0].mean(false).mean, 0.7);
  EXPECT_DOUBLE_EQ(results[0].series[2].mean(false).mean, 0.4);
  const auto missing = missing_text(plan(), results);
  EXPECT_NE(missing.find("Sort"), std::string::npos) << missing;
  EXPECT_NE(missing.find("1 of 2 seeds of Copy with NoPE"), std::string::npos) << missing;
}

TEST_F(ResultFiles, StandBesidePublishedNumbers) {
  const auto table = result_table(plan(), read_results(plan(), out));
  EXPECT_NE(table.find("| Copy | RoPE, RFS |     4-5 | .700 (.600-.800) |      .750 |  paper |"), std::string::npos)
      << table;
  EXPECT_NE(table.find("|       5 |             .000 |      .200 |  paper |"), std::string::npos) << table;
}

TEST_F(ResultFiles, AreDrawnWithNotesOnWhatIsMissing) {
  ASSERT_TRUE(write_result(plan(), out));
  for (const char* name : {"exact_match.svg", "exact_match.png", "exact_match.pdf", "exact_match.gp", "table.md"}) {
    EXPECT_TRUE(fs::exists(out / "lines" / name)) << name;
  }
  const auto data = read_file(out / "lines/exact_match.dat");
  EXPECT_NE(data.find("Mean of seeds 1, 2"), std::string::npos) << data;
  EXPECT_NE(data.find("band: lowest to highest seed, 95 % interval for a single seed;"), std::string::npos) << data;
  EXPECT_NE(data.find("Missing: Sort"), std::string::npos) << data;
  EXPECT_NE(data.find("# Copy: RoPE, RFS\n2 1 1 1 20\n"), std::string::npos) << data;
  for (const auto& [name, content] : result_files(plan(), out)) EXPECT_EQ(read_file(out / "lines" / name), content);
  // If a record changes, the figure changes.
  add("none", 1, 3, "");
  EXPECT_NE(result_files(plan(), out).at(1).second, data);
}

TEST_F(ResultFiles, ShowASampleThatAllGetWrong) {
  const auto table = error_table(plan("errors"), read_results(plan("errors"), out));
  EXPECT_NE(table.find("length 4: p"), std::string::npos) << table;
  EXPECT_NE(table.find("rope-rfs answer"), std::string::npos) << table;
  EXPECT_EQ(table.find("short"), std::string::npos) << "trained lengths are not for this table";
}

TEST_F(ResultFiles, StandOnOnePageOfTheirOwn) {
  write_result(plan(), out);
  write_result(plan("errors"), out);
  const auto page = results_page(experiments, out);
  for (const char* part : {"class='figure chart'", "Lines", "Errors", "rfs reproduce lines",
                           "runs/paper-10/copy/rope-rfs/1", "abc", "2026-01-02", "<td>.70 (.60-.80)</td>"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
  for (const char* part : {"<img", "src=", "url(", "@import", "fetch("})
    EXPECT_EQ(page.find(part), std::string::npos) << part;
  EXPECT_NE(page.find("connect-src 'none'"), std::string::npos);
  EXPECT_NE(page.find("\"href\":\"./runs/paper-10/copy/rope-rfs/1/\""), std::string::npos) << "a line's record";
}

TEST_F(ResultFiles, OfOthersAreNotPutIntoThePage) {
  write_result(plan(), out);
  write_file(out / "lines/exact_match.svg", "<svg><script>alert(1)</script></svg>");
  EXPECT_EQ(results_page(experiments, out).find("alert(1)"), std::string::npos);
  write_result(plan(), out);
  write_file(out / "lines/table.md", "| a |\n| - |\n| <script>&lt;i>&amp;\\|</script> |\n<script>\n");
  const auto page = results_page(experiments, out);
  EXPECT_NE(page.find("<td>&lt;script&gt;&lt;i&gt;&amp;|&lt;/script&gt;</td>"), std::string::npos);
  EXPECT_EQ(page.find("<script>\n<"), std::string::npos);
  EXPECT_NE(page.find("<p>&lt;script&gt;</p>"), std::string::npos);
}

TEST_F(ResultFiles, MayBeOfOtherSeeds) {
  add("rope-rfs", 777, 10, "");
  add("rope-rfs", 13, 10, "");
  write_file(out / plan().run_folder("copy", "rope-rfs", 1).parent_path() / "notes.txt", "");
  const auto results = read_results(plan(), out);
  std::vector<std::string> seeds;
  for (const rfs::Run& run : results[0].series[0].runs) seeds.push_back(run.name());
  EXPECT_EQ(seeds, (std::vector<std::string>{"1", "2", "13", "777"}));
}

TEST_F(ResultFiles, NeedRecords) {
  EXPECT_FALSE(write_result(plan(), folder / "elsewhere"));
  EXPECT_FALSE(fs::exists(folder / "elsewhere"));
  EXPECT_THROW(read_plan(experiments, "line", "paper", 0), Error);
  EXPECT_THROW(read_plan(experiments, "lines", "papers", 0), Error);
  write_file(experiments / "bad.toml",
             "[experiment]\ntitle = 'x'\npaper = 'y'\nkind = 'lengths'\ntasks = ['copy']\n[lines]\nall = ['rop']\n");
  EXPECT_THROW(read_plan(experiments, "bad", "paper", 0), Error);
}

TEST_F(ResultFiles, NameAsManyLinesAsCanBeRead) {
  PanelFigure figure;
  figure.panels = {{}};
  for (size_t i = 0; i < 25; ++i) {
    if (i == 24) draw_panels(figure, folder, "few");
    figure.panels[0].lines.push_back({series_style("line " + std::to_string(i), i), {{1, 0.5, 0.4, 0.6, 10}}});
  }
  draw_panels(figure, folder, "many");
  const auto few = read_file(folder / "few.gp"), many = read_file(folder / "many.gp");
  EXPECT_NE(few.find("'line 23'"), std::string::npos);
  EXPECT_EQ(many.find("'line 23'"), std::string::npos);
  EXPECT_NE(many.find("25 lines, too many for a legend"), std::string::npos);
}

TEST(Panels, LookIsFixedByMethod) {
  EXPECT_EQ(method_style("rope-rfs", 0).colour, method_style("rope-rfs", 5).colour);
  EXPECT_NE(method_style("rope-rfs", 0).dash, method_style("rope-simple", 0).dash);
  EXPECT_EQ(method_style("mine", 1).label, "mine");
}

}  // namespace
}  // namespace rfs
