// A campaign on a clock that only training moves: what it does in a budget, and what the next call continues.

#include "rfs/run/campaign.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <set>

#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/records/run.h"

namespace rfs {
namespace {

namespace fs = std::filesystem;

/// Each finished training takes `each` seconds of the clock, also in its record, and every reported update `update`
/// seconds.
struct ClockEvents : RunEvents {
  void training_begins(const std::string& title, const std::vector<std::string>&) override { begun.push_back(title); }
  void training_progress(size_t, const Progress&) override { now += update; }
  void job_ended(size_t, const std::string& text) override {
    if (!text.starts_with("trained") || each == 0) return;
    now += each;
    for (const rfs::Run& run : find_runs(out)) {
      if (!run.trained()) continue;
      auto record = run.train_record();
      record.seconds = each;
      run.write(record);
    }
  }
  void note(const std::string&, const std::string& text) override { notes += text + "\n"; }

  fs::path out;
  double now = 1000, each = 0, update = 0;
  std::vector<std::string> begun;
  std::string notes;
};

class CampaignRuns : public testing::Test {
 protected:
  void SetUp() override {
    write_file(
        experiments / "methods.toml",
        "[trainings]\na = ['encoding.use=none', 'positions.use=sequential']\nb = ['encoding.use=rope']\n[tests]\n");
    write_file(
        experiments / "presets/paper.toml",
        "[tokenizer]\nuse = 'words'\n[model]\npreset = 'tiny'\nlayers = 1\nwidth = 16\nheads = 2\nhead_width = 8\n"
        "feed_width = 16\n[train]\nseed = [1, 2]\nsteps = 10\nwarmup = 2\nbatch = 8\nlog_every = 2\n[eval]\n"
        "decoded = 0\n[tasks]\ncopy = ['task.train_lengths=[2,4]', 'task.test_lengths=[5,6]', "
        "'task.train_samples=100', 'task.validation_samples=5', 'task.test_samples=5', 'task.words=5']\n"
        "[tokens]\ncopy = 9.0\n[measured]\nmachine = 'a clock'\ntask = 'copy'\nstep_seconds = 10.0\n"
        "parameters = 1000\n");
    write_file(experiments / "lines.toml",
               "[experiment]\ntitle = 'Lines'\npaper = 'Figure 1'\nkind = 'lengths'\ntasks = ['copy']\n[lines]\n"
               "all = ['a', 'b']\n");
    plans = {read_plan(experiments, "lines", "paper", 0)};
  }
  void TearDown() override { fs::remove_all(folder); }

  CampaignOutcome run(double seconds) {
    RunContext context;
    context.command = "test";
    context.events = &events;
    context.stopped = [this] { return interrupted; };
    events.begun.clear();
    events.out = folder / "out";
    return run_campaign(plans, planned_runs(plans, {}, folder / "out"), {folder / "out"},
                        {seconds, [this] { return events.now; }}, context);
  }

  fs::path folder = fs::temp_directory_path() / ("rfs_campaign_run_test_" + std::to_string(getpid()));
  fs::path experiments = folder / "experiments";
  std::vector<Plan> plans;
  ClockEvents events;
  bool interrupted = false;
};

TEST_F(CampaignRuns, BeginOnlyWhatFitsTheBudget) {
  events.each = 100;  // as the preset says
  auto outcome = run(250);
  EXPECT_EQ(events.begun, (std::vector<std::string>{"[1/4] copy a 1", "[2/4] copy b 1"}));
  EXPECT_TRUE(outcome.out_of_time);
  EXPECT_FALSE(outcome.stopped);
  EXPECT_EQ(outcome.left, 2u);
  EXPECT_NE(events.notes.find("takes about 1 min 40 s; 50 s left"), std::string::npos) << events.notes;
  outcome = run(250);
  EXPECT_EQ(events.begun.size(), 2u) << "nothing is repeated";
  EXPECT_EQ(outcome.left, 0u);
  EXPECT_FALSE(outcome.out_of_time);
  outcome = run(250);
  EXPECT_TRUE(events.begun.empty());
}

TEST_F(CampaignRuns, StopARunAtTheEndOfTheBudgetAndResumeIt) {
  events.update = 40;
  auto outcome = run(50);  // less than one run: it begins all the same
  EXPECT_EQ(events.begun, (std::vector<std::string>{"[1/4] copy a 1"}));
  EXPECT_TRUE(outcome.out_of_time);
  EXPECT_EQ(outcome.left, 4u);
  const fs::path begun = folder / "out/runs/paper-10/copy/a/1";
  EXPECT_TRUE(fs::exists(begun / "checkpoint.safetensors"));
  events.update = 0;
  outcome = run(1e9);
  EXPECT_EQ(events.begun.size(), 4u);
  EXPECT_EQ(events.begun.front(), "[1/4] copy a 1");
  EXPECT_EQ(outcome.left, 0u);
  EXPECT_EQ(rfs::Run(begun).train_record().steps, 10);
}

TEST_F(CampaignRuns, AreStoppedByTheCaller) {
  interrupted = true;
  const auto outcome = run(1e9);
  EXPECT_TRUE(outcome.stopped);
  EXPECT_FALSE(outcome.out_of_time);
  EXPECT_TRUE(events.begun.empty());
}

// The words `trained`, `longest` and `local` in settings of the arena's methods and of their tests.
TEST(ArenaMethods, TakeThePresetsNumbers) {
  const Plan plan = read_plan(fs::path(RFS_SOURCE) / "experiments", "arena", "mini", 0);
  std::set<std::string> seen;
  for (const auto& run : planned_runs(plan, {plan.method_names(), {"copy"}, {1}}, "out")) {
    const std::string encoding = run.job.settings.toml("encoding"), positions = run.job.settings.toml("positions");
    if (encoding.find("\"fire\"") != std::string::npos) {
      EXPECT_NE(encoding.find("threshold = 23.0"), std::string::npos) << encoding;
      seen.insert("fire");
    }
    if (run.training == "rope-pose") {
      EXPECT_NE(positions.find("target = 43"), std::string::npos) << positions;
      seen.insert("pose");
    }
    const auto written = Settings::from_text(run.job.settings.toml(), "test");
    for (const auto& test : run.tests) {
      const auto tested = RunSettings::read(assigned(written, test.assignments)).toml("encoding");
      if (!test.record.starts_with("yarn")) continue;
      EXPECT_NE(tested.find("original_length = 23"), std::string::npos) << tested;
      seen.insert(test.record);
    }
  }
  EXPECT_EQ(seen, (std::set<std::string>{"fire", "pose", "yarn", "yarn-long"}));
}

}  // namespace
}  // namespace rfs
