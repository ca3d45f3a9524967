// `rfs reproduce` on experiments that take a second: shared runs, selection, locks, failures, drawing from records.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <thread>

#include "program.h"
#include "rfs/core/files.h"
#include "rfs/records/run.h"

namespace rfs {
namespace {

namespace fs = std::filesystem;

class Reproduce : public testing::Test {
 protected:
  Scratch scratch;

  void SetUp() override {
    scratch.write("experiments/methods.toml",
                  "[trainings]\nnone = ['encoding.use=none', 'positions.use=sequential']\n"
                  "rope-simple = ['encoding.use=rope', 'positions.use=sequential']\n"
                  "rope-rfs = ['encoding.use=rope', 'positions.use=random_float', 'positions.range=longest']\n"
                  "[tests]\nrope-interpolation = ['rope-simple', 'interpolation', 'positions.use=interpolated']\n");
    scratch.write("experiments/presets/paper.toml",
                  "[tokenizer]\nuse = 'words'\n[model]\npreset = 'tiny'\nlayers = 1\nwidth = 16\nheads = 2\n"
                  "head_width = 8\nfeed_width = 16\n[train]\nseed = [1, 2]\nsteps = 20\nwarmup = 2\nbatch = 8\n"
                  "log_every = 5\n[eval]\ndecoded = 2\n[tasks]\n"
                  "copy = ['task.train_lengths=[2,4]', 'task.test_lengths=[5,6]', 'task.train_samples=200', "
                  "'task.validation_samples=10', 'task.test_samples=10', 'task.words=5']\n"
                  "reverse = ['task.train_lengths=[2,4]', 'task.test_lengths=[5,6]', 'task.train_samples=200', "
                  "'task.validation_samples=10', 'task.test_samples=10', 'task.words=5']\n"
                  "[longest]\ncopy = 15\nreverse = 15\n[tokens]\ncopy = 9.0\nreverse = 18.0\n"
                  "[measured]\nmachine = 'a clock'\ntask = 'copy'\nstep_seconds = 30.0\nparameters = 1000000\n");
    scratch.write("experiments/first.toml",
                  "[experiment]\ntitle = 'First'\npaper = 'Figure 1'\nkind = 'lengths'\ntasks = ['copy']\n[lines]\n"
                  "all = ['rope-rfs', 'none']\n");
    scratch.write("experiments/second.toml",
                  "[experiment]\ntitle = 'Second'\npaper = 'Figure 2'\nkind = 'lengths'\ntasks = ['copy', 'reverse']\n"
                  "[lines]\nall = ['rope-rfs', 'rope-interpolation']\n");
    scratch.write("experiments/demo.toml", "");
  }

  Outcome reproduce(const std::string& arguments) const {
    return run_program("reproduce " + arguments, scratch.path(), environment);
  }

  const std::string environment = "export OMP_NUM_THREADS=1 RFS_EXPERIMENTS=experiments;";
};

size_t times(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++count;
  return count;
}

TEST_F(Reproduce, SharesRunsAndDrawsFromRecordsAlone) {
  auto outcome = reproduce("first --seeds 1 --records results");
  ASSERT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_EQ(times(outcome.error, "trained: 20 steps"), 2u) << outcome.error;
  EXPECT_NE(outcome.output.find("| Copy | RoPE, RFS |"), std::string::npos) << outcome.output;
  for (const char* name : {"first/exact_match.svg", "first/exact_match.png", "first/exact_match.pdf",
                           "first/token_accuracy.png", "index.html", "runs/paper-20/copy/rope-rfs/1/settings.toml"}) {
    EXPECT_TRUE(scratch.has(std::string("runs/reproduce/") + name)) << name;
    EXPECT_TRUE(scratch.has(std::string("results/") + name)) << name;
  }
  EXPECT_TRUE(scratch.has("runs/reproduce/runs/paper-20/copy/rope-rfs/1/model.safetensors"));
  EXPECT_FALSE(scratch.has("results/runs/paper-20/copy/rope-rfs/1/model.safetensors"));
  EXPECT_NE(scratch.read("results/first/exact_match.dat").find("Missing: seed 2."), std::string::npos);
  EXPECT_NE(scratch.read("results/runs/paper-20/copy/rope-rfs/1/settings.toml").find("range = 15.0"),
            std::string::npos);

  // Finished runs are not repeated, by this experiment or another.
  outcome = reproduce("first --seeds 1");
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_EQ(times(outcome.error, "already done"), 2u) << outcome.error;
  outcome = reproduce("second --seeds 1 --tasks copy --dry-run");
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_EQ(times(outcome.output, "\n  copy "), 2u) << outcome.output;
  EXPECT_NE(outcome.output.find("copy rope-rfs 1                              done"), std::string::npos)
      << outcome.output;
  EXPECT_NE(outcome.output.find("2 runs: 1 done, 1 left"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("about 10 min 0 s of training on a clock"), std::string::npos) << outcome.output;
  outcome = reproduce("second --seeds 1 --tasks copy --methods rope-interpolation --drop-weights");
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  const std::string simple = "runs/reproduce/runs/paper-20/copy/rope-simple/1";
  EXPECT_TRUE(scratch.has(simple + "/eval-interpolation.json"));
  EXPECT_TRUE(scratch.has(simple + "/eval.json"));
  EXPECT_FALSE(scratch.has(simple + "/model.safetensors"));
  EXPECT_NE(scratch.read("runs/reproduce/second/exact_match.dat").find("# Copy: RoPE, interpolation"),
            std::string::npos);

  outcome = reproduce("second --seeds 1 --tasks copy --dry-run");
  EXPECT_TRUE(outcome.output.ends_with("2 runs: 2 done, 0 left\n")) << outcome.output;

  // Records are enough to draw the same figure. If an evaluation and the weights are missing, the run is trained again,
  // to the same bits.
  fs::remove_all(scratch.path() / "results/first");
  const auto before = scratch.read("runs/reproduce/first/exact_match.dat");
  outcome = reproduce("first --draw --out results");
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_EQ(scratch.read("results/first/exact_match.dat"), before);
  const auto loss = rfs::Run(scratch.path() / simple).train_record().loss;
  fs::remove(scratch.path() / simple / "eval-interpolation.json");
  outcome = reproduce("second --seeds 1 --tasks copy");
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_NE(outcome.error.find("training again"), std::string::npos) << outcome.error;
  EXPECT_EQ(rfs::Run(scratch.path() / simple).train_record().loss, loss);
}

TEST_F(Reproduce, OtherStepsAreOtherRuns) {
  auto outcome = reproduce("first --steps 10 --seeds 2 --methods none --tasks copy");
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_TRUE(scratch.has("runs/reproduce/runs/paper-10/copy/none/2/train.json"));
  const auto data = scratch.read("runs/reproduce/first-10/exact_match.dat");
  EXPECT_NE(data.find("10 steps instead of 20"), std::string::npos) << data;
  EXPECT_NE(data.find("Missing: seed 1; RoPE, RFS"), std::string::npos) << data;
  EXPECT_NE(scratch.read("runs/reproduce/runs/paper-10/copy/none/2/settings.toml").find("warmup = 1\n"),
            std::string::npos);
}

TEST_F(Reproduce, TakesAnySeed) {
  const auto outcome = reproduce("first --seeds '777, 1, 777' --methods none");
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_EQ(times(outcome.error, "trained: 20 steps"), 2u) << outcome.error;
  EXPECT_NE(scratch.read("runs/reproduce/runs/paper-20/copy/none/777/settings.toml").find("seed = 777\n"),
            std::string::npos);
  const auto data = scratch.read("runs/reproduce/first/exact_match.dat");
  EXPECT_NE(data.find("Mean of seeds 1, 777;"), std::string::npos) << data;
  EXPECT_NE(data.find("Missing: seed 2; RoPE, RFS"), std::string::npos) << data;
}

TEST_F(Reproduce, KeepsGoingWhenARunFails) {
  // The folder of the first run already has settings of another run.
  scratch.write("runs/reproduce/runs/paper-20/copy/none/1/settings.toml", "[positions]\nuse = \"other\"\n");
  const auto outcome = reproduce("first --seeds 1");
  EXPECT_EQ(outcome.code, 1) << outcome.error;
  EXPECT_NE(outcome.error.find("copy none 1  failed: "), std::string::npos) << outcome.error;
  EXPECT_NE(outcome.error.find("1 of 2 runs failed; the same command tries them again"), std::string::npos)
      << outcome.error;
  EXPECT_TRUE(scratch.has("runs/reproduce/runs/paper-20/copy/rope-rfs/1/eval.json"));
  EXPECT_TRUE(scratch.has("runs/reproduce/first/exact_match.png"));
}

TEST_F(Reproduce, ShardsAndProcessesShareAFolder) {
  // Two processes run the same command: one of them trains each run, and the other one skips it.
  std::vector<Outcome> outcomes(2);
  {
    std::vector<std::jthread> threads;
    for (size_t i = 0; i < 2; ++i) {
      threads.emplace_back([&, i] {
        const fs::path own = scratch.path() / ("process" + std::to_string(i));
        fs::create_directories(own);
        outcomes[i] = run_program("reproduce second --out ../shared", own,
                                  "export OMP_NUM_THREADS=1 RFS_EXPERIMENTS=../experiments;");
      });
    }
  }
  size_t trained = 0;
  for (const auto& outcome : outcomes) {
    EXPECT_EQ(outcome.code, 0) << outcome.error;
    trained += times(outcome.error, "trained: 20 steps");
  }
  EXPECT_EQ(trained, 8u) << outcomes[0].error << outcomes[1].error;
  for (const auto& entry : fs::recursive_directory_iterator(scratch.path() / "shared")) {
    EXPECT_NE(entry.path().extension(), ".lock") << entry.path();
  }
  // Shards split the remaining runs without overlap.
  std::vector<std::string> lines;
  for (const char* part : {"1/3", "2/3", "3/3"}) {
    const auto outcome = reproduce(std::string("second --out elsewhere --dry-run --shard ") + part);
    EXPECT_EQ(outcome.code, 0) << outcome.error;
    std::istringstream text(outcome.output);
    for (std::string line; std::getline(text, line);) {
      if (line.starts_with("  ")) lines.push_back(line);
    }
  }
  std::sort(lines.begin(), lines.end());
  EXPECT_EQ(lines.size(), 8u);
  EXPECT_EQ(std::unique(lines.begin(), lines.end()), lines.end());
}

TEST_F(Reproduce, LeavesARunThatAnotherMachineHolds) {
  scratch.write("runs/reproduce/runs/paper-20/copy/none/1.lock", "another-machine pid:[1] 4711\n");
  auto outcome = reproduce("first --seeds 1 --methods none");
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_NE(outcome.error.find("skipped: another process holds it (host another-machine, process 4711; "),
            std::string::npos)
      << outcome.error;
  EXPECT_FALSE(scratch.has("runs/reproduce/runs/paper-20/copy/none/1/train.json"));

  // A lock that a dead process of this machine left is taken over.
  char host[256] = {};
  gethostname(host, sizeof(host) - 1);
  scratch.write("runs/reproduce/runs/paper-20/copy/none/1.lock",
                std::string(host) + " " + fs::read_symlink("/proc/self/ns/pid").string() + " 99999999\n");
  outcome = reproduce("first --seeds 1 --methods none");
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_TRUE(scratch.has("runs/reproduce/runs/paper-20/copy/none/1/train.json"));
  EXPECT_FALSE(scratch.has("runs/reproduce/runs/paper-20/copy/none/1.lock"));
}

TEST_F(Reproduce, IsStoppedByCtrlCAndGoesOn) {
  setenv("RFS_EXPERIMENTS", "experiments", 1);
  const std::string run = "runs/reproduce/runs/paper-4000/copy/none/1", command = "first --steps 4000 --methods none ";
  auto outcome = interrupt_program("reproduce " + command, scratch.path(), scratch.path() / run / "metrics.jsonl");
  unsetenv("RFS_EXPERIMENTS");
  EXPECT_EQ(outcome.code, 130) << outcome.error;
  EXPECT_FALSE(scratch.has(run + ".lock"));
  EXPECT_FALSE(scratch.has("runs/reproduce/first-4000"));
  outcome = reproduce(command + "--dry-run");
  EXPECT_NE(outcome.output.find("to resume (at step"), std::string::npos) << outcome.output;
  outcome = reproduce(command + "--seeds 1");
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_TRUE(scratch.has(run + "/eval.json"));
}

TEST_F(Reproduce, DrawsStoredSingularValues) {
  const auto outcome = run_program("reproduce singular --out out", scratch.path());
  ASSERT_EQ(outcome.code, 0) << outcome.error;
  const fs::path stored = fs::path(RFS_SOURCE) / "results/singular";
  EXPECT_EQ(scratch.read("out/singular/table.md"), read_file(stored / "table.md"));
  std::istringstream here(scratch.read("out/singular/singular.dat")), there(read_file(stored / "singular.dat"));
  for (std::string a, b; std::getline(here, a);) {
    ASSERT_TRUE(std::getline(there, b));
    std::istringstream x(a), y(b);
    double index = 0, ours = 0, theirs = 0;
    if (!(x >> index >> ours)) continue;
    y >> index >> theirs;
    EXPECT_NEAR(ours, theirs, 1e-5 * theirs + 1e-10) << a << " and " << b;
  }
}

TEST_F(Reproduce, AllRunsEachRunOnceFirstSeedsFirst) {
  scratch.write("experiments/third.toml",
                "[experiment]\ntitle = 'Third'\npaper = 'None'\nkind = 'lengths'\nextra = true\ntasks = ['copy']\n"
                "[lines]\nall = ['rope-simple', 'none']\n");
  auto outcome = reproduce("all --tasks copy");
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_EQ(times(outcome.error, "trained: 20 steps"), 6u) << outcome.error;
  size_t at = 0;
  for (const int seed : {1, 1, 1, 2, 2, 2}) {
    at = outcome.error.find(" " + std::to_string(seed) + "  trained: 20 steps", at + 1);
    EXPECT_NE(at, std::string::npos) << outcome.error;
  }
  for (const char* name : {"first", "second", "third"}) {
    EXPECT_TRUE(scratch.has(std::string("runs/reproduce/") + name + "/exact_match.png")) << name;
  }
  outcome = reproduce("all --tasks copy --minutes 1");
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_EQ(times(outcome.error, "trained: "), 0u) << outcome.error;
  EXPECT_EQ(outcome.error.find("time is up"), std::string::npos) << outcome.error;
  outcome = reproduce("--list");
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_NE(outcome.output.find("runs done: 2 of 2 with seed 1, 2 of 2 with seed 2"), std::string::npos)
      << outcome.output;
  EXPECT_NE(outcome.output.find("runs done: 2 of 4 with seed 1, 2 of 4 with seed 2"), std::string::npos)
      << outcome.output;
  outcome = reproduce("--list --out elsewhere");
  EXPECT_NE(outcome.output.find("runs done: 0 of 4 with seed 1, 0 of 4 with seed 2"), std::string::npos)
      << outcome.output;
}

TEST_F(Reproduce, AllSkipsWhatThePresetCannotRun) {
  std::string preset = scratch.read("experiments/presets/paper.toml");
  preset.erase(preset.find("reverse = ["), preset.find("[longest]") - preset.find("reverse = ["));
  scratch.write("experiments/presets/copies.toml", preset);
  const auto outcome = reproduce("all --preset copies --dry-run");
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_EQ(outcome.error, "skipped second: preset copies has no task reverse\n");
  EXPECT_NE(outcome.output.find("4 runs: 0 done, 4 left"), std::string::npos) << outcome.output;
  EXPECT_EQ(reproduce("second --preset copies --dry-run").code, 2);
}

// The presets that --help names for `all`.
TEST(Presets, RunAllExperimentsThatTheyCan) {
  const Scratch scratch;
  for (const std::string preset : {"paper", "large", "small", "mini", "tiny"}) {
    const auto outcome = run_program("reproduce all --dry-run --preset " + preset, scratch.path(),
                                     "export RFS_EXPERIMENTS=" RFS_SOURCE "/experiments;");
    EXPECT_EQ(outcome.code, 0) << preset << ": " << outcome.error;
    EXPECT_EQ(outcome.error.find("has no task copy2") != std::string::npos, preset == "small" || preset == "mini")
        << outcome.error;
  }
}

TEST_F(Reproduce, StopsWhenTheTimeIsUpAndResumes) {
  // A run of 200,000 steps takes minutes. After five seconds it is stopped with a checkpoint, and nothing else begins.
  const auto path = scratch.path() / "runs/reproduce/runs/paper-200000/copy";
  auto outcome = reproduce("first --steps 200000 --minutes 0.08");
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_EQ(times(outcome.error, "stopped after step"), 1u) << outcome.error;
  EXPECT_NE(outcome.error.find("the time is up: 4 of 4 runs are left; the same command continues"), std::string::npos)
      << outcome.error;
  const auto begun = [&] {
    std::vector<fs::path> found;
    for (const auto& entry : fs::recursive_directory_iterator(path)) {
      if (entry.path().filename() == "checkpoint.safetensors") found.push_back(entry.path());
    }
    return found;
  };
  const auto first = begun();
  ASSERT_EQ(first.size(), 1u);
  const auto step = [&] { return rfs::Run(first[0].parent_path()).metrics().back().step; };
  const auto before = step();
  outcome = reproduce("first --steps 200000 --minutes 0.08");
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_EQ(begun(), first) << "the run that was begun comes first";
  EXPECT_GT(step(), before);
}

class ArenaProgram : public Reproduce {
 protected:
  void SetUp() override {
    Reproduce::SetUp();
    std::string preset = scratch.read("experiments/presets/paper.toml");
    scratch.write("experiments/presets/mini.toml",
                  preset + "[long]\ncopy = ['task.test_lengths=[6,12]', 'task.test_factor=2']\n");
    scratch.write("experiments/arena.toml",
                  "[experiment]\ntitle = 'Arena'\npaper = 'Beyond'\nkind = 'arena'\nextra = true\ntasks = ['copy']\n"
                  "[lines]\nall = ['rope-rfs', 'none']\n");
  }
  Outcome arena(const std::string& arguments) const {
    return run_program("arena " + arguments, scratch.path(), environment);
  }
};

TEST_F(ArenaProgram, ShowsAUsersMethodBesideTheOthers) {
  scratch.write("experiments/arena.toml", scratch.read("experiments/arena.toml") + "rest = ['rope-simple']\n");
  const auto plan = scratch.read("experiments/arena.toml");
  scratch.write("experiments/arena.toml",
                plan.substr(0, plan.find("tasks =")) + "slow = ['rope-simple']\n" + plan.substr(plan.find("tasks =")));
  const std::string mine = "--add 'mine=encoding.use=alibi positions.use=random_float positions.range=trained' ";
  auto outcome = arena("--seeds 1 --methods mine " + mine);
  EXPECT_EQ(outcome.code, 2) << "the preset has no [trained]: " << outcome.error;
  EXPECT_NE(outcome.error.find("[trained] has no task copy, which the method mine needs"), std::string::npos)
      << outcome.error;
  scratch.write("experiments/presets/mini.toml",
                scratch.read("experiments/presets/mini.toml") + "[trained]\ncopy = 11\n");
  outcome = arena("--seeds 1 --records results --drop-weights " + mine);
  ASSERT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_EQ(times(outcome.error, "trained: 20 steps"), 3u) << outcome.error;
  EXPECT_NE(outcome.output.find("| mine"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("Copy 12"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("Summary runs/arena/arena-mini/summary.md\n"), std::string::npos) << outcome.output;
  for (const char* folder : {"runs/arena/", "results/"}) {
    for (const char* name : {"arena-mini/table.md", "arena-mini/summary.md", "arena-mini/heat_map.png",
                             "arena-mini/curves_added.png", "index.html", "runs/mini-20/copy/mine/1/eval-long.json"}) {
      EXPECT_TRUE(scratch.has(std::string(folder) + name)) << folder << name;
    }
  }
  EXPECT_FALSE(scratch.has("results/runs/mini-20/copy/mine/1/model.safetensors"));
  EXPECT_NE(scratch.read("runs/arena/runs/mini-20/copy/mine/1/settings.toml").find("range = 11.0"), std::string::npos);
  EXPECT_EQ(outcome.output.find("RoPE, simple"), std::string::npos) << "slow methods run on request only";
  EXPECT_NE(arena("--methods rope-simple --dry-run").output.find("copy rope-simple 1"), std::string::npos);
  // Nothing is trained twice, and records alone give the same files.
  const auto table = scratch.read("runs/arena/arena-mini/table.md");
  outcome = arena("--seeds 1 " + mine);
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_EQ(times(outcome.error, "trained"), 0u) << outcome.error;
  outcome = arena("--draw --out results " + mine);
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_EQ(scratch.read("results/arena-mini/table.md"), table);
}

TEST_F(ArenaProgram, IsStoppedByCtrlCAndGoesOn) {
  setenv("RFS_EXPERIMENTS", "experiments", 1);
  const std::string run = "runs/arena/runs/mini-4000/copy/none/1", command = "--steps 4000 --methods none ";
  auto outcome = interrupt_program("arena " + command, scratch.path(), scratch.path() / run / "metrics.jsonl");
  unsetenv("RFS_EXPERIMENTS");
  EXPECT_EQ(outcome.code, 130) << outcome.error;
  EXPECT_FALSE(scratch.has(run + ".lock"));
  outcome = arena(command + "--dry-run");
  EXPECT_NE(outcome.output.find("to resume (at step"), std::string::npos) << outcome.output;
  outcome = arena(command + "--seeds 1");
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_TRUE(scratch.has(run + "/eval-long.json"));
}

}  // namespace
}  // namespace rfs
