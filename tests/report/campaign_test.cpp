// Which run a campaign does next, and when it stops.

#include "rfs/report/campaign.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "rfs/core/files.h"
#include "rfs/records/run.h"

namespace rfs {
namespace {

namespace fs = std::filesystem;

/// The names of candidates in the order in which a campaign without a limit runs them.
std::vector<std::string> order(std::vector<Candidate> candidates) {
  std::vector<std::string> names;
  while (const auto next = next_candidate(candidates, 1e9, names.size())) {
    names.push_back(candidates[*next].line.second);
    candidates.erase(candidates.begin() + static_cast<std::ptrdiff_t>(*next));
  }
  return names;
}

Candidate candidate(const std::string& name, size_t seed, bool extra, double overlap, double seconds) {
  return {{"copy", name}, false, seed, extra, overlap, seconds};
}

TEST(Campaign, PutsFirstSeedsFirstThenThePaperThenShortRuns) {
  Candidate begun = candidate("begun", 2, true, -1, 900);
  begun.begun = true;
  EXPECT_EQ(order({candidate("second", 1, false, 0.9, 1), candidate("extra", 0, true, 0.9, 1),
                   candidate("long", 0, false, 0.9, 20), candidate("short", 0, false, -0.9, 10), begun}),
            (std::vector<std::string>{"begun", "short", "long", "extra", "second"}));
}

TEST(Campaign, PutsOverlappingLinesFirstFromTheSecondSeedOn) {
  EXPECT_EQ(order({candidate("far", 1, false, -0.4, 1), candidate("near", 1, false, 0.05, 50),
                   candidate("third", 2, false, 0.9, 1), candidate("nearest", 1, false, 0.1, 60),
                   candidate("extra", 1, true, 0.5, 1), candidate("equal", 1, false, 0.05, 40)}),
            (std::vector<std::string>{"nearest", "equal", "near", "far", "extra", "third"}));
}

TEST(Campaign, StopsWhenTheNextRunDoesNotFit) {
  const std::vector<Candidate> runs = {candidate("next", 0, false, 0, 100), candidate("later", 1, false, 0, 10)};
  EXPECT_EQ(next_candidate(runs, 100, 3), 0u);
  EXPECT_EQ(next_candidate(runs, 99, 3), std::nullopt) << "the shorter run is not more informative";
  EXPECT_EQ(next_candidate(runs, 99, 0), 0u) << "or runs longer than the budget would never begin";
  EXPECT_EQ(next_candidate({}, 1e9, 0), std::nullopt);
}

TEST(Campaign, CorrectsTimesByFinishedRuns) {
  TimeEstimates times;
  EXPECT_EQ(times.seconds({"copy", "rope"}, 10), 10);
  times.add({"copy", "rope"}, 10, 30);
  times.add({"copy", "dape"}, 10, 90);
  EXPECT_EQ(times.seconds({"copy", "rope"}, 10), 30) << "the same line, another seed";
  EXPECT_EQ(times.seconds({"sort", "rope"}, 20), 60) << "the same training, another task";
  EXPECT_EQ(times.seconds({"sort", "kerple"}, 20), 120) << "all runs";
  times.add({"sort", "rope"}, 20, 20);
  EXPECT_EQ(times.seconds({"copy", "rope"}, 10), 30);
  EXPECT_NEAR(times.seconds({"scan", "rope"}, 30), 50, 1e-9);
}

TEST(Campaign, MeasuresOverlapsOnUntrainedLengths) {
  const fs::path folder = fs::temp_directory_path() / ("rfs_campaign_test_" + std::to_string(getpid()));
  Plan plan;
  plan.name = "lines";
  plan.kind = "lengths";
  plan.tasks = {"copy"};
  plan.preset.name = "paper";
  plan.preset.seeds = {1, 2};
  plan.lines = {{"all", {"a", "b", "c", "d"}}};
  const std::vector<std::vector<int64_t>> correct = {{40, 60}, {55, 75}, {90}, {}};
  for (size_t i = 0; i < plan.lines[0].second.size(); ++i) {
    const auto& name = plan.lines[0].second[i];
    plan.trainings.push_back({name, {}});
    plan.methods.push_back({name, name, "", {}});
    for (size_t seed = 0; seed < correct[i].size(); ++seed) {
      const rfs::Run run(folder / plan.run_folder("copy", name, static_cast<int64_t>(seed) + 1));
      write_file(run.file("settings.toml"), "");
      run.write(TrainRecord{});
      EvalRecord eval;
      eval.lengths = {{2, 100, 100, true}, {3, correct[i][seed], 100, false}};
      run.write(eval);
    }
  }
  const auto found = overlaps({plan, plan}, folder);
  fs::remove_all(folder);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_NEAR(found.at({"copy", "a"}), 0.05, 1e-9);
  EXPECT_NEAR(found.at({"copy", "b"}), 0.05, 1e-9);
  EXPECT_LT(found.at({"copy", "c"}), 0) << "no line is near";
}

}  // namespace
}  // namespace rfs
