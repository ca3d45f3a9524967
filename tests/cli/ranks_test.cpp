// Training with several processes, started by mpirun.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <set>

#include "program.h"
#include "rfs/records/run.h"

namespace rfs {
namespace {

namespace fs = std::filesystem;

const std::string tiny =
    "[task]\ntrain_lengths = [2, 4]\ntest_lengths = [5, 6]\ntrain_samples = 200\nvalidation_samples = 10\n"
    "test_samples = 10\nwords = 5\n[model]\npreset = 'tiny'\nlayers = 1\nwidth = 16\nheads = 2\nhead_width = 8\n"
    "feed_width = 16\ndropout = 0.1\n[train]\nsteps = 40\nbatch = 8\nlog_every = 5\nlearning_rate = 1e-2\nwarmup = 2\n"
    "validate_every = 20\n";

class RanksOfMpi : public testing::Test {
 protected:
  void SetUp() override {
    if (std::string(RFS_MPIRUN).empty()) GTEST_SKIP() << "NOT TESTED: built without MPI";
    scratch.write("tiny.toml", tiny);
  }
  /// Shell commands that make mpirun start `count` ranks. `more` has options of mpirun and a launcher for each rank.
  /// Single-copy transfers are off, because containers may forbid reading the memory of another process.
  static std::string ranks(int count, const std::string& more = "") {
    // The time between SIGTERM and SIGKILL: Open MPI 5 reads this variable, Open MPI 4 an option that a test may add.
    return "OMP_NUM_THREADS=1; export OMP_NUM_THREADS PRTE_MCA_odls_base_sigkill_timeout=4; "
           "RFS_TEST_LAUNCHER='" RFS_MPIRUN
           " --allow-run-as-root --oversubscribe --mca btl_vader_single_copy_mechanism none -n " +
           std::to_string(count) + " " + more + "';";
  }
  static bool open_mpi_4() {
    std::array<char, 80> line{};
    FILE* version = popen(RFS_MPIRUN " --version", "r");
    const bool read = version && std::fgets(line.data(), line.size(), version);
    if (version) pclose(version);
    return read && std::string(line.data()).find("(Open MPI) 4.") != std::string::npos;
  }
  Outcome train(int count, const std::string& arguments) const {
    return run_program("train tiny.toml " + arguments, scratch.path(), ranks(count));
  }
  std::vector<float> weights(const std::string& run) const {
    const std::string file = scratch.read(run + "/model.safetensors");
    uint64_t header = 0;
    std::memcpy(&header, file.data(), sizeof(header));
    std::vector<float> values((file.size() - sizeof(header) - header) / sizeof(float));
    std::memcpy(values.data(), file.data() + sizeof(header) + header, values.size() * sizeof(float));
    return values;
  }
  std::set<std::string> names(const std::string& folder) const {
    std::set<std::string> all;
    for (const auto& entry : fs::directory_iterator(scratch.path() / folder)) all.insert(entry.path().filename());
    return all;
  }
  rfs::Run run(const std::string& name) const { return rfs::Run(scratch.path() / name); }

  static std::string host() {
    char name[256] = {};
    gethostname(name, sizeof(name) - 1);
    return name;
  }

  const Scratch scratch;
};

/// The lines that rfs printed; mpirun prints others.
std::vector<std::string> own_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("rfs: ")) lines.push_back(line);
  }
  return lines;
}

TEST_F(RanksOfMpi, FollowTheCurveOfOne) {
  ASSERT_EQ(run_program("train tiny.toml --out 1", scratch.path(), ranks(1)).code, 0);
  const auto expected = run("1").metrics();
  for (const int count : {2, 4}) {
    const auto name = std::to_string(count);
    const auto outcome = train(count, "--out " + name);
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_EQ(outcome.output, "Next: rfs eval " + name + "\n");
    EXPECT_NE(outcome.error.find("CPU, float32, " + name + " ranks; memory: about"), std::string::npos)
        << outcome.error;
    EXPECT_EQ(names(name), names("1"));
    EXPECT_EQ(run(name).train_record().tokens, run("1").train_record().tokens);
    EXPECT_EQ(run(name).train_record().provenance.at("ranks"), name);
    const auto metrics = run(name).metrics();
    ASSERT_EQ(metrics.size(), expected.size());
    for (size_t i = 0; i < metrics.size(); ++i) {
      EXPECT_EQ(metrics[i].step, expected[i].step);
      EXPECT_EQ(metrics[i].learning_rate, expected[i].learning_rate);
      EXPECT_NEAR(metrics[i].loss, expected[i].loss, (i < 2 ? 1e-6 : 1e-5) * expected[i].loss) << i;
      EXPECT_EQ(metrics[i].validation, expected[i].validation);
    }
    const auto one = weights("1"), several = weights(name);
    ASSERT_EQ(one.size(), several.size());
    double difference = 0;
    for (size_t i = 0; i < one.size(); ++i) {
      difference = std::max(difference, std::abs(static_cast<double>(one[i]) - static_cast<double>(several[i])));
    }
    EXPECT_LT(difference, 1e-4);
    EXPECT_GT(difference, 0) << "the ranks repeated each other's work";
  }
}

TEST_F(RanksOfMpi, WithDifferentCommandsAreRefused) {
  for (const std::string other : {"eval x", "train tiny.toml --out y", "train --help"}) {
    const auto outcome =
        kill_program("train tiny.toml --out x : -n 1 " RFS_PROGRAM " " + other, scratch.path(), ranks(1), 60);
    if (outcome.code == 139) GTEST_SKIP() << "NOT TESTED: this mpirun crashes when it is given two programs";
    EXPECT_NE(outcome.code, 0) << other;
    EXPECT_NE(outcome.code, 128 + SIGKILL) << other << " hangs";
    const auto said = own_lines(outcome.error);
    ASSERT_EQ(said.size(), 1u) << outcome.error;
    EXPECT_EQ(said[0],
              "rfs: command line: must be the same on all ranks, got 'rfs train tiny.toml --out x' on rank 0 (" +
                  host() + ") and 'rfs " + other + "' on rank 1 (" + host() + ")");
    EXPECT_FALSE(scratch.has("x") || scratch.has("y"));
  }
}

TEST_F(RanksOfMpi, OneThatIsKilledEndsTheJobWhichGoesOnToTheSameBits) {
  const std::string often = "--set train.steps=150 --set train.checkpoint_every=5 --out ";
  ASSERT_EQ(train(2, often + "whole").code, 0);
  scratch.write("rank.sh",
                "if [ $OMPI_COMM_WORLD_RANK = 1 ]; then\n"
                "  (while [ ! -e killed/checkpoint.safetensors ]; do sleep 0.01; done; : > now; kill -9 $$) &\n"
                "fi\nexec \"$@\"\n");
  const auto outcome = run_program("train tiny.toml " + often + "killed", scratch.path(), ranks(2, "sh rank.sh"));
  const auto since = fs::file_time_type::clock::now() - fs::last_write_time(scratch.path() / "now");
  EXPECT_LT(std::chrono::duration<double>(since).count(), 15);
  EXPECT_NE(outcome.code, 0);
  EXPECT_NE(outcome.error.find("rank 1 with PID"), std::string::npos) << outcome.error;
  EXPECT_NE(outcome.error.find("on node " + host()), std::string::npos) << outcome.error;
  ASSERT_FALSE(scratch.has("killed/train.json"));
  ASSERT_EQ(train(2, often + "killed").code, 0);
  EXPECT_TRUE(scratch.read("killed/model.safetensors") == scratch.read("whole/model.safetensors"));
  EXPECT_EQ(names("killed"), names("whole"));
}

TEST_F(RanksOfMpi, StopTogetherAndGoOnWithAnotherNumber) {
  const std::string train = "train tiny.toml --set train.steps=100000 --set train.log_every=1 --out x";
  scratch.write("rank.sh",
                "if [ $OMPI_COMM_WORLD_RANK = 1 ]; then\n"
                "  (while [ ! -e x/metrics.jsonl ]; do sleep 0.01; done; kill -USR1 $$) &\n"
                "fi\nexec \"$@\"\n");
  auto outcome = run_program(train, scratch.path(), ranks(2, "sh rank.sh"));
  EXPECT_EQ(outcome.code, 130) << outcome.error;
  EXPECT_TRUE(own_lines(outcome.error).empty()) << outcome.error;
  const auto stopped = outcome.error.find("stopped after step ");
  ASSERT_NE(stopped, std::string::npos) << outcome.error;
  const auto step = std::stoll(outcome.error.substr(stopped + 19));
  EXPECT_EQ(run("x").metrics().back().step, step);

  fs::remove(scratch.path() / "x/metrics.jsonl");
  // Ctrl-C: mpirun sends SIGTERM to its ranks and always waits for the whole timeout, even if they end sooner.
  outcome = interrupt_program(train, scratch.path(), scratch.path() / "x/metrics.jsonl",
                              ranks(4, "--mca odls_base_sigkill_timeout 4"));
  EXPECT_NE(outcome.code, 0);
  if (open_mpi_4()) {  // later versions drop the output of ranks after Ctrl-C
    EXPECT_NE(outcome.error.find("run the same command to resume"), std::string::npos) << outcome.error;
  }
  EXPECT_TRUE(scratch.has("x/checkpoint.safetensors"));
  EXPECT_GT(run("x").metrics().back().step, step);
  EXPECT_EQ(run("x").metrics().front().step, step + 1);
}

TEST_F(RanksOfMpi, TrainTheRunsOfASweepOneAfterTheOther) {
  const std::string sweep = "--set train.steps=5 --set train.seed=[1,2] --out x";
  const auto outcome = train(2, sweep);
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  for (const char* name : {"x/1", "x/2"}) EXPECT_TRUE(run(name).trained());
  const auto again = train(2, sweep);
  EXPECT_EQ(again.code, 0) << again.error;
  EXPECT_EQ(again.error.find("trained: 5 steps"), again.error.find("1  already trained") + 11) << again.error;
}

TEST_F(RanksOfMpi, OneThatFailsIsNamed) {
  // The first rank cannot write files larger than 4 kB.
  scratch.write("rank.sh", "[ $OMPI_COMM_WORLD_RANK = 0 ] && trap '' XFSZ && ulimit -f 8\nexec \"$@\"\n");
  auto outcome =
      run_program("train tiny.toml --set train.checkpoint_every=10 --out x", scratch.path(), ranks(2, "sh rank.sh"));
  if (outcome.code != 2 && outcome.error.find("shared memory initialization") != std::string::npos) {
    GTEST_SKIP() << "NOT TESTED: this MPI itself needs larger files than the test allows";
  }
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(own_lines(outcome.error),
            std::vector<std::string>{"rfs: rank 0 on " + host() +
                                     ": x/checkpoint.safetensors: cannot write this file: File too large; there is no "
                                     "good checkpoint yet"})
      << outcome.error;
  scratch.write("rank.sh", "[ $OMPI_COMM_WORLD_RANK = 1 ] && OMP_NUM_THREADS=2\nexec \"$@\"\n");
  outcome = run_program("train tiny.toml --out y", scratch.path(), ranks(2, "sh rank.sh"));
  EXPECT_EQ(outcome.code, 2);
  ASSERT_EQ(own_lines(outcome.error).size(), 1u) << outcome.error;
  EXPECT_NE(outcome.error.find("rfs: OMP_NUM_THREADS: must be the same on all ranks, got 1 threads"), std::string::npos)
      << outcome.error;
  EXPECT_FALSE(scratch.has("y"));
}

struct RankMistake {
  const char *name, *launch, *arguments, *says;
};
const RankMistake rank_mistakes[] = {
    {"batch", "3", "train tiny.toml --out x",
     "rfs: train.batch: must be a multiple of the number of ranks, got 8 for 3 ranks"},
    {"together", "2", "train tiny.toml --together --out x", "rfs: --together: cannot be combined with several ranks"},
    {"settings", "2", "train nowhere.toml --out x",
     "rfs: nowhere.toml: cannot read this file: No such file or directory"},
    {"diverged", "2", "train tiny.toml --set train.learning_rate=1e30 --set train.clip=1e30 --out begun",
     "rfs: train: loss "},
    {"verb", "2", "list", "rfs: command line: only rfs train runs on several ranks, got 2 ranks of rfs list"},
    {"unseen", "", "train tiny.toml --out x", "rfs: ranks: 2 processes were started, but MPI sees 1"},
};

TEST_F(RanksOfMpi, MistakesGetOneLine) {
  for (const auto& mistake : rank_mistakes) {
    const bool started = std::string(mistake.launch) != "";
    const auto outcome = run_program(
        mistake.arguments, scratch.path(),
        started ? ranks(std::stoi(mistake.launch)) : "OMPI_COMM_WORLD_SIZE=2; export OMPI_COMM_WORLD_SIZE;");
    EXPECT_EQ(outcome.code, 2) << mistake.name << outcome.error;
    EXPECT_EQ(outcome.output, "") << mistake.name;
    const auto said = own_lines(outcome.error);
    ASSERT_EQ(said.size(), 1u) << mistake.name << outcome.error;
    EXPECT_TRUE(said[0].starts_with(mistake.says)) << mistake.name << ": " << said[0];
    EXPECT_FALSE(scratch.has("x")) << mistake.name;
  }
}

}  // namespace
}  // namespace rfs
