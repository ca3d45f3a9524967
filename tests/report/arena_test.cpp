// Tables, figures and the summary of an arena on made-up records where the truth is known.

#include "rfs/report/arena.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/records/run.h"
#include "rfs/report/result.h"
#include "rfs/report/results_page.h"

namespace rfs {
namespace {

namespace fs = std::filesystem;

class ArenaRecords : public testing::Test {
 protected:
  fs::path folder = fs::temp_directory_path() / ("rfs_arena_test_" + std::to_string(getpid()));
  fs::path experiments = folder / "experiments", out = folder / "out";

  void SetUp() override {
    write_file(experiments / "methods.toml",
               "[trainings]\nrope-rfs = ['encoding.use=rope']\nrope-rfs-ssmax = ['attention.use=ssmax']\n"
               "none = ['encoding.use=none']\nkerple-rfs = ['encoding.use=kerple']\n[tests]\n"
               "rope-rfs-current = ['rope-rfs', 'current', 'eval.n_in=current']\n");
    write_file(experiments / "presets/mini.toml",
               "[train]\nseed = [1, 2, 3]\nsteps = 10\n[tasks]\ncopy = []\nsort = []\n"
               "[long]\ncopy = ['task.test_factor=2']\nsort = []\n[longest]\ncopy = 9\n[tokens]\n"
               "copy = 5.0\n[measured]\nmachine = 'one'\ntask = 'copy'\nstep_seconds = 0.1\nparameters = 100\n");
    write_file(experiments / "arena.toml",
               "[experiment]\ntitle = 'Arena'\npaper = 'Beyond'\nkind = 'arena'\nextra = true\n"
               "tasks = ['copy', 'sort']\n[lines]\nPaper = ['rope-rfs', 'none']\n"
               "Others = ['rope-rfs-ssmax', 'kerple-rfs']\n");
  }
  void TearDown() override { fs::remove_all(folder); }

  Plan plan() const { return read_plan(experiments, "arena", "mini", 0); }

  /// A run with `longer` of 200 right on each of the lengths 3 and 4, and `longest` of 200 at length 16.
  void add(const std::string& task, const std::string& training, int64_t seed, int64_t longer, int64_t longest) {
    const rfs::Run run(out / plan().run_folder(task, training, seed));
    write_file(run.file("settings.toml"), "[task]\nuse = \"" + task + "\"\n");
    run.write(TrainRecord{10, 100, 23, 1000, 2.0, 0.5, 10, {}, 0, {{"commit", "abc"}, {"date", "2026-01-02T03"}}});
    EvalRecord eval;
    eval.settings = "[task]\nuse = \"" + task + "\"\n";
    eval.lengths = {{2, 200, 200, true}, {3, longer, 200, false}, {4, longer, 200, false}};
    run.write(eval);
    eval.lengths = {{2, 200, 200, true}, {4, longer, 200, false}, {8, longest, 200, false}, {16, longest, 200, false}};
    run.write(eval, "long");
  }
  const Difference* find(const std::vector<Difference>& all, const std::string& method) const {
    for (const auto& one : all) {
      if (one.method == method) return &one;
    }
    return nullptr;
  }
};

TEST_F(ArenaRecords, SummaryFindsDifferencesThatExist) {
  for (const int64_t seed : {1, 2, 3}) {
    add("copy", "rope-rfs", seed, 100 + 4 * seed, 20);
    add("copy", "rope-rfs-ssmax", seed, 160 + 4 * seed, 20);  // .30 above the baseline with every seed
    add("copy", "none", seed, 20 + 60 * (seed % 3), 20);      // seeds that differ more than the methods
    add("copy", "kerple-rfs", seed, 60 + 4 * seed, 20);       // .20 below
  }
  const Arena arena = read_arena(plan(), out);
  const auto found = differences(arena, "copy", ArenaMeasure::longer);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_NEAR(find(found, "rope-rfs-ssmax")->difference, 0.3, 1e-9);
  EXPECT_TRUE(find(found, "rope-rfs-ssmax")->exceeds_noise());
  EXPECT_EQ(find(found, "rope-rfs-ssmax")->pairs, 3u);
  EXPECT_NEAR(find(found, "kerple-rfs")->difference, -0.2, 1e-9);
  EXPECT_TRUE(find(found, "kerple-rfs")->exceeds_noise());
  EXPECT_FALSE(find(found, "none")->exceeds_noise());
  const auto summary = arena_summary(plan(), arena);
  EXPECT_NE(summary.find("- Higher, beyond the noise: RoPE, RFS, SSMax +.30 (p = "), std::string::npos) << summary;
  EXPECT_NE(summary.find("- Lower, beyond the noise: KERPLE, RFS -.20 (p = "), std::string::npos) << summary;
  EXPECT_NE(summary.find("- Within the noise: NoPE\n"), std::string::npos) << summary;
  EXPECT_NE(summary.find("Copy 16:\n\nNothing can be concluded: none of the 3 methods"), std::string::npos) << summary;
  EXPECT_EQ(summary.find("All tasks"), std::string::npos) << "there is only one task";
}

TEST_F(ArenaRecords, ManyMethodsTellHowMuchSeedsChange) {
  // Nine methods with three seeds each. Their differences from the baseline have a standard deviation of about .03.
  std::string trainings = "[trainings]\nrope-rfs = ['encoding.use=rope']\n", names = "'rope-rfs'";
  for (char c = 'a'; c <= 'i'; ++c) {
    trainings += std::string(1, c) + " = ['model.layers=" + std::to_string(c - 'a' + 1) + "']\n";
    names += std::string(", '") + c + "'";
  }
  write_file(experiments / "methods.toml", trainings + "[tests]\n");
  write_file(experiments / "arena.toml",
             "[experiment]\ntitle = 'Arena'\npaper = 'Beyond'\nkind = 'arena'\ntasks = ['copy']\n[lines]\nall = [" +
                 names + "]\n");
  const int64_t noise[3] = {-6, 0, 6};
  for (const int64_t seed : {1, 2, 3}) {
    add("copy", "rope-rfs", seed, 100, 0);
    for (char c = 'a'; c <= 'g'; ++c) add("copy", std::string(1, c), seed, 100 + noise[(seed + c) % 3], 0);
    add("copy", "h", seed, 150 + 2 * noise[seed - 1], 0);  // .25 above, and with seeds that differ more
  }
  add("copy", "i", 1, 112, 0);  // one seed: .06 above, twice the noise of a seed
  const auto found = differences(read_arena(plan(), out), "copy", ArenaMeasure::longer);
  ASSERT_EQ(found.size(), 9u);
  const auto *h = find(found, "h"), *i = find(found, "i");
  // Alone, t = .25 / (.06 / sqrt(3)) = 7.2 with 2 degrees: p = .019, and .17 after the correction.
  EXPECT_TRUE(h->exceeds_noise()) << h->level;
  EXPECT_TRUE(i->seeds_known);
  EXPECT_GT(i->p, 0.05) << "by its samples alone, p would be .09";
  EXPECT_FALSE(i->exceeds_noise());
  for (char c = 'a'; c <= 'g'; ++c) EXPECT_FALSE(find(found, std::string(1, c))->exceeds_noise()) << c;
  add("copy", "i", 1, 160, 0);
  EXPECT_TRUE(find(differences(read_arena(plan(), out), "copy", ArenaMeasure::longer), "i")->exceeds_noise());
}

TEST_F(ArenaRecords, OneSeedKnowsOnlyTheSamplesNoise) {
  add("copy", "rope-rfs", 1, 100, 0);
  add("copy", "rope-rfs-ssmax", 1, 108, 0);  // .50 and .54 of 400: p = .26
  add("copy", "none", 1, 140, 0);
  add("copy", "kerple-rfs", 2, 200, 0);  // no seed in common with the baseline
  const Arena arena = read_arena(plan(), out);
  const auto found = differences(arena, "copy", ArenaMeasure::longer);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_NEAR(find(found, "rope-rfs-ssmax")->p, 0.257, 1e-3);
  EXPECT_FALSE(find(found, "rope-rfs-ssmax")->exceeds_noise());
  EXPECT_TRUE(find(found, "none")->exceeds_noise());
  const auto summary = arena_summary(plan(), arena);
  EXPECT_NE(summary.find("- Higher with one seed: NoPE +.20 (p < .001, 1 seed)"), std::string::npos) << summary;
  EXPECT_EQ(summary.find("beyond the noise: "), std::string::npos) << "one seed cannot show that";
  EXPECT_NE(summary.find("another seed can turn the result"), std::string::npos) << summary;
  EXPECT_NE(summary.find("No method scores .02 or more. This test is too hard"), std::string::npos) << summary;
}

TEST_F(ArenaRecords, ManyComparisonsAreCorrected) {
  add("copy", "rope-rfs", 1, 100, 0);
  add("copy", "none", 1, 115, 0);  // p = .033 by itself
  EXPECT_TRUE(differences(read_arena(plan(), out), "copy", ArenaMeasure::longer).front().exceeds_noise());
  add("copy", "rope-rfs-ssmax", 1, 100, 0);
  EXPECT_FALSE(find(differences(read_arena(plan(), out), "copy", ArenaMeasure::longer), "none")->exceeds_noise());
}

TEST_F(ArenaRecords, TasksArePairedTogether) {
  for (const int64_t seed : {1, 2}) {
    add("copy", "rope-rfs", seed, 100, 0);
    add("copy", "none", seed, 120 + seed, 0);
    add("sort", "rope-rfs", seed, 20, 0);
    add("sort", "none", seed, 40 + seed, 0);
  }
  const Arena arena = read_arena(plan(), out);
  const auto found = differences(arena, "", ArenaMeasure::longer);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].pairs, 4u);
  EXPECT_NEAR(found[0].difference, 0.1075, 1e-9);
  EXPECT_TRUE(found[0].exceeds_noise());
  const auto summary = arena_summary(plan(), arena);
  EXPECT_NE(summary.find("### All tasks"), std::string::npos) << summary;
  // Equal differences with every seed do not prove more than the samples can.
  for (const int64_t seed : {1, 2}) add("copy", "kerple-rfs", seed, 101, 0);
  EXPECT_FALSE(find(differences(read_arena(plan(), out), "copy", ArenaMeasure::longer), "kerple-rfs")->exceeds_noise());
}

TEST_F(ArenaRecords, IntervalsAreWilsonsAndStudents) {
  add("copy", "rope-rfs", 1, 100, 50);
  add("copy", "none", 1, 100, 50);
  add("copy", "none", 2, 120, 50);
  const Arena arena = read_arena(plan(), out);
  const auto one = arena_mean(*arena.find("copy", "rope-rfs"), ArenaMeasure::longer);
  EXPECT_DOUBLE_EQ(one->mean, 0.5);
  EXPECT_DOUBLE_EQ(one->interval.low, wilson(200, 400).low);
  const auto two = arena_mean(*arena.find("copy", "none"), ArenaMeasure::longer);
  EXPECT_DOUBLE_EQ(two->mean, 0.55);
  EXPECT_DOUBLE_EQ(two->interval.low, 0) << ".55 - 12.706 * .05";
  EXPECT_DOUBLE_EQ(two->interval.high, 1);
  const auto table = arena_table(plan(), arena);
  EXPECT_NE(table.find("| method    |       Copy 3-4 |       Copy 16 | seeds |"), std::string::npos) << table;
  EXPECT_NE(table.find("| RoPE, RFS |  .50 (.45-.55) | .25 (.20-.31) |     1 |"), std::string::npos) << table;
  EXPECT_NE(table.find("Missing: 6 of 8 lines."), std::string::npos) << table;
}

TEST_F(ArenaRecords, AreDrawn) {
  for (const int64_t seed : {1, 2}) {
    for (const char* method : {"rope-rfs", "none", "rope-rfs-ssmax"}) add("copy", method, seed, 100 + seed, 50);
  }
  ASSERT_TRUE(write_result(plan(), out));
  const fs::path drawn = out / "arena-mini";
  for (const char* name : {"table.md", "summary.md", "heat_map.svg", "heat_map.png", "heat_map.pdf", "curves_paper.png",
                           "curves_others.png"}) {
    EXPECT_TRUE(fs::exists(drawn / name)) << name;
  }
  for (const auto& [name, content] : result_files(plan(), out)) EXPECT_EQ(read_file(drawn / name), content) << name;
  const auto curves = read_file(drawn / "curves_others.dat");
  EXPECT_NE(curves.find("# Copy: RoPE, RFS\n2 1 "), std::string::npos) << "the baseline is in every figure: " << curves;
  EXPECT_NE(curves.find("\n16 0.25 0 0.525"), std::string::npos) << "12.706 * .0217: " << curves;
  const auto page = results_page(experiments, out);
  for (const char* part : {"<code>rfs arena --preset mini</code>", "What differs from RoPE, RFS", "Copy 16"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
}

TEST_F(ArenaRecords, TakesAUsersMethod) {
  Plan mine = plan();
  add_method(mine, "mine=encoding.use=mine positions.use=random_float");
  add_method(mine, "mine-2=encoding.use=mine");
  EXPECT_EQ(mine.lines.back().second, (std::vector<std::string>{"mine", "mine-2"}));
  EXPECT_EQ(mine.trainings[mine.trainings.size() - 2].assignments,
            (std::vector<std::string>{"encoding.use=mine", "positions.use=random_float"}));
  const auto tests = mine.tests_of("copy", "mine");
  ASSERT_EQ(tests.size(), 2u);
  EXPECT_EQ(tests[1].record, "long");
  EXPECT_EQ(tests[1].assignments, (std::vector<std::string>{"task.test_factor=2"}));
  EXPECT_EQ(mine.tests_of("copy", "rope-rfs").size(), 2u) << "the main test and the long one, not `current`";
  for (const char* text : {"none=encoding.use=rope", "mine", "=encoding.use=rope", "a/b=encoding.use=rope", "new="}) {
    EXPECT_THROW(add_method(mine, text), Error) << text;
  }
}

// A test of trained weights is a method, too, with its own main test and its own test of much longer inputs.
TEST_F(ArenaRecords, ComparesFurtherTestsOfATraining) {
  write_file(experiments / "methods.toml",
             read_file(experiments / "methods.toml") +
                 "[arena_tests]\nrope-yarn = ['rope-rfs', 'yarn', 'encoding.factor=4.0']\n");
  write_file(experiments / "arena.toml", read_file(experiments / "arena.toml") + "Tests = ['rope-yarn']\n");
  const auto tests = plan().tests_of("copy", "rope-rfs");
  ASSERT_EQ(tests.size(), 4u) << "not `current`";
  EXPECT_EQ(tests[2].record, "yarn");
  EXPECT_EQ(tests[2].assignments, (std::vector<std::string>{"encoding.factor=4.0"}));
  EXPECT_EQ(tests[3].record, "yarn-long");
  EXPECT_EQ(tests[3].assignments, (std::vector<std::string>{"encoding.factor=4.0", "task.test_factor=2"}));
  add("copy", "rope-rfs", 1, 100, 50);
  EXPECT_EQ(read_arena(plan(), out).methods, (std::vector<std::string>{"rope-rfs"})) << "it has no records yet";
  const rfs::Run run(out / plan().run_folder("copy", "rope-rfs", 1));
  EvalRecord eval = run.eval_record();
  eval.lengths[1].correct = 180;
  run.write(eval, "yarn");
  eval = run.eval_record("long");
  eval.lengths.back().correct = 120;
  run.write(eval, "yarn-long");
  const Arena arena = read_arena(plan(), out);
  const auto share = [&](const char* method, ArenaMeasure measure) {
    return arena_mean(*arena.find("copy", method), measure)->mean;
  };
  EXPECT_DOUBLE_EQ(share("rope-rfs", ArenaMeasure::longer), 0.5);
  EXPECT_DOUBLE_EQ(share("rope-yarn", ArenaMeasure::longer), 0.7);
  EXPECT_DOUBLE_EQ(share("rope-rfs", ArenaMeasure::longest), 0.25);
  EXPECT_DOUBLE_EQ(share("rope-yarn", ArenaMeasure::longest), 0.6);
}

TEST_F(ArenaRecords, NameThePresetsOfTheArena) {
  write_file(experiments / "presets/tiny.toml",
             "[train]\nseed = [1]\nsteps = 10\n[tasks]\ncopy = []\n[tokens]\n[measured]\nmachine = 'one'\n"
             "task = 'copy'\nstep_seconds = 0.1\nparameters = 100\n");
  try {
    read_plan(experiments, "arena", "tiny", 0);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()), "--preset: tiny has no table [long], which arena needs; choose mini");
  }
}

}  // namespace
}  // namespace rfs
