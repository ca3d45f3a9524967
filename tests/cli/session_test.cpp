// Training that is killed, that fills the disk, or that shares a process with other runs.

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <random>
#include <set>

#include "program.h"
#include "rfs/records/run.h"
#include "rfs/records/validation_record.h"
#include "tests/sanitizer.h"

namespace rfs {
namespace {

namespace fs = std::filesystem;

void expect_same_training(const Scratch& scratch, const std::string& a, const std::string& b) {
  const rfs::Run left(scratch.path() / a), right(scratch.path() / b);
  EXPECT_EQ(left.train_record().loss, right.train_record().loss);
  EXPECT_EQ(left.train_record().tokens, right.train_record().tokens);
  EXPECT_EQ(left.train_record().model_step, right.train_record().model_step);
  EXPECT_EQ(left.train_record().best_validation, right.train_record().best_validation);
  const auto one = left.metrics(), other = right.metrics();
  ASSERT_EQ(one.size(), other.size());
  for (size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].step, other[i].step);
    EXPECT_EQ(one[i].loss, other[i].loss);
    EXPECT_EQ(one[i].learning_rate, other[i].learning_rate);
    EXPECT_EQ(one[i].gradient_norm, other[i].gradient_norm);
    EXPECT_EQ(one[i].validation, other[i].validation);
  }
}

void expect_same_run(const Scratch& scratch, const std::string& a, const std::string& b) {
  EXPECT_TRUE(scratch.read(a + "/model.safetensors") == scratch.read(b + "/model.safetensors")) << a << ", " << b;
  EXPECT_EQ(names(scratch.path() / a), names(scratch.path() / b));
  expect_same_training(scratch, a, b);
}

TEST(Session, KilledAtAnyMomentEndsWithTheSameBits) {
  const Scratch scratch;
  scratch.write("tiny.toml", tiny_settings);
  const std::string train =
      "train tiny.toml --set train.steps=250 --set train.checkpoint_every=7 --set train.validate_every=10 "
      "--set train.checkpoint=best --out ";
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_EQ(run_program(train + "whole", scratch.path(), one_thread).code, 0);
  const double whole = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::mt19937 random(1);
  std::uniform_real_distribution<double> moment(0, whole);
  int kills = 0;
  for (int round = 0; kills < 20; ++round) {
    ASSERT_LT(round, 100) << "only " << kills << " kills";  // on a busy machine some kills come too late
    const std::string out = "killed" + std::to_string(round);
    for (bool done = false; !done;) {
      const auto outcome = kill_program(train + out, scratch.path(), one_thread, moment(random));
      done = outcome.code == 0;
      kills += done ? 0 : 1;
      ASSERT_TRUE(done || outcome.code == 128 + SIGKILL) << outcome.error;
    }
    // A kill may come after the record is written and before temporary files are removed. The next start removes them.
    EXPECT_EQ(run_program(train + out, scratch.path(), one_thread).code, 0);
    expect_same_run(scratch, "whole", out);
  }
}

TEST(Session, AFullDiskLeavesTheOldCheckpoint) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "NOT TESTED: the sanitizer itself needs larger files than the test allows";
#endif
  const Scratch scratch;
  scratch.write("tiny.toml", tiny_settings);
  const std::string train =
      "train tiny.toml --set train.steps=3000 --set train.log_every=1000 --set train.batch=2 "
      "--set train.checkpoint_every=50 --out ";
  ASSERT_EQ(interrupt_program(train + "a", scratch.path(), scratch.path() / "a/checkpoint.safetensors").code, 130);
  const auto before = scratch.read("a/checkpoint.safetensors");
  // Files are limited to 4 kB. Only the checkpoint is larger, so only its write fails, as on a full disk.
  const auto full = run_program(train + "a", scratch.path(), one_thread + "ulimit -f 8;");
  EXPECT_EQ(full.code, 2) << full.error;
  EXPECT_NE(full.error.find("rfs: a/checkpoint.safetensors: cannot write this file: File too large; the last good "
                            "checkpoint is of step "),
            std::string::npos)
      << full.error;
  EXPECT_TRUE(scratch.read("a/checkpoint.safetensors") == before);
  EXPECT_EQ(names(scratch.path() / "a"),
            (std::set<std::string>{"checkpoint.safetensors", "events", "metrics.jsonl", "settings.toml", "words.txt"}));
  EXPECT_EQ(run_program(train + "a", scratch.path(), one_thread).code, 0);
}

TEST(Session, TogetherIsBitForBitAsAlone) {
  const Scratch scratch;
  scratch.write("a.toml", tiny_settings);
  scratch.write("b.toml", tiny_settings + "checkpoint = 'best'\nvalidate_every = 5\n");
  const std::string seeds = " --set train.seed=[1,2] --out ";
  auto outcome = run_program("train a.toml b.toml" + seeds + "alone", scratch.path());
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_EQ(outcome.output, "Next: rfs eval alone\n");
  outcome = run_program("train a.toml b.toml --together" + seeds + "together", scratch.path());
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_NE(outcome.error.find("; memory: about"), std::string::npos) << outcome.error;
  for (const char* run : {"a/1", "a/2", "b/1", "b/2"}) {
    EXPECT_NE(outcome.error.find(std::string(run) + "  trained: 20 steps"), std::string::npos) << outcome.error;
    expect_same_run(scratch, std::string("alone/") + run, std::string("together/") + run);
  }
  EXPECT_TRUE(scratch.read("together/a/1/model.safetensors") != scratch.read("together/a/2/model.safetensors"));
  outcome = run_program("train a.toml b.toml --together" + seeds + "together", scratch.path());
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_NE(outcome.error.find("b/2  already trained"), std::string::npos) << outcome.error;
}

TEST(Session, WatchesLongerInputsWithoutChoosingByThem) {
  const Scratch scratch;
  scratch.write("tiny.toml", tiny_settings + "checkpoint = 'best'\nvalidate_every = 5\n");
  for (const std::string run : {"plain", "longer"}) {
    const std::string option = run == "longer" ? " --set train.validate_longer=3" : "";
    const auto outcome = run_program("train tiny.toml" + option + " --out " + run, scratch.path());
    ASSERT_EQ(outcome.code, 0) << outcome.error;
  }
  expect_same_training(scratch, "plain", "longer");
  const auto plain = read_validation(scratch.path() / "plain"), longer = read_validation(scratch.path() / "longer");
  ASSERT_EQ(plain.size(), 4u);
  ASSERT_EQ(longer.size(), 4u);
  for (size_t i = 0; i < plain.size(); ++i) {
    EXPECT_EQ(plain[i].lengths.size(), 3u);
    ASSERT_EQ(longer[i].lengths.size(), 5u);
    for (size_t k = 0; k < 5; ++k) {
      const auto& length = longer[i].lengths[k];
      EXPECT_EQ(length.length, static_cast<int64_t>(k) + 2);
      EXPECT_EQ(length.trained, length.length <= 4);
      EXPECT_EQ(length.total >= 4, length.trained) << length.total;
    }
  }
}

TEST(Session, UntrainedRunsDoNotKeepOthersFromTheirEvaluation) {
  const Scratch scratch;
  scratch.write("tiny.toml", tiny_settings);
  ASSERT_EQ(run_program("train tiny.toml --set 'train.seed=[1,2]' --out runs", scratch.path()).code, 0);
  std::filesystem::remove(scratch.path() / "runs/1/train.json");
  const auto outcome = run_program("eval runs", scratch.path());
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.error.find("rfs: runs/1: not trained yet; the other runs are evaluated\n"), std::string::npos)
      << outcome.error;
  EXPECT_TRUE(scratch.has("runs/2/eval.json"));
  const auto command = rfs::Run(scratch.path() / "runs/2").train_record().provenance.at("command");
  EXPECT_NE(command.find("--set 'train.seed=[1,2]' --out runs"), std::string::npos) << command;
}

TEST(Session, CtrlCStopsAllThatTrainTogether) {
  const Scratch scratch;
  scratch.write("a.toml", tiny_settings);
  const std::string train =
      "train a.toml --together --set train.seed=[1,2] --set train.steps=100000 --set train.log_every=1 --out x";
  const auto outcome = interrupt_program(train, scratch.path(), scratch.path() / "x/2/metrics.jsonl");
  EXPECT_EQ(outcome.code, 130) << outcome.error;
  for (const char* run : {"x/1", "x/2"}) EXPECT_TRUE(scratch.has(std::string(run) + "/checkpoint.safetensors"));
}

TEST(Session, ATerminalThatGoesStopsIt) {
  const Scratch scratch;
  scratch.write("a.toml", tiny_settings);
  const std::string train = "train a.toml --set train.steps=1000000 --out x";
  const std::string hang_up = one_thread + "(sleep 2; kill -HUP $$) &";
  const auto outcome = kill_program(train, scratch.path(), hang_up, 60);
  EXPECT_EQ(outcome.code, 130) << outcome.error;
  EXPECT_TRUE(scratch.has("x/checkpoint.safetensors"));
  const auto kept = kill_program(train, scratch.path(), hang_up + "trap '' HUP;", 4);  // as nohup does
  EXPECT_EQ(kept.code, 128 + SIGKILL) << kept.error;
}

TEST(Session, OneProcessAtATimeTrainsARun) {
  const Scratch scratch;
  scratch.write("a.toml", tiny_settings);
  fs::create_directories(scratch.path() / "x");
  const std::string other = one_thread + "exec 9<x; flock -n 9;";  // the lock, held as by another process
  auto outcome = run_program("train a.toml --out x", scratch.path(), other);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.error.find("x: another process is training this run"), std::string::npos) << outcome.error;
  EXPECT_EQ(names(scratch.path() / "x"), std::set<std::string>());
  outcome = run_program("train a.toml --out x", scratch.path(), one_thread);
  EXPECT_EQ(outcome.code, 0) << outcome.error;
}

TEST(Session, OneThatFailsDoesNotStopTheOthers) {
  const Scratch scratch;
  scratch.write("a.toml", tiny_settings);
  const auto outcome =
      run_program("train a.toml --together --set train.learning_rate=[1e-2,1e30] --set train.clip=1e30 --out x",
                  scratch.path(), one_thread);
  EXPECT_EQ(outcome.code, 2) << outcome.error;
  EXPECT_NE(outcome.error.find("there is no good checkpoint yet\n"), std::string::npos) << outcome.error;
  EXPECT_TRUE(scratch.has("x/0.01/train.json")) << outcome.error;
}

// The estimate printed before training is within a factor of 1.5 of the memory that training adds.
TEST(Session, SaysHowMuchMemoryItNeeds) {
  RFS_NEEDS_NO_SANITIZER();
  const Scratch scratch;
  scratch.write("tiny.toml", tiny_settings);
  const std::string train =
      "train tiny.toml --set train.steps=4 --set train.checkpoint_every=2 --set task.train_lengths=[2,10] "
      "--set task.test_lengths=[11,12] --set train.validate_every=0 --out ";
  const double program = run_program(train + "base", scratch.path(), one_thread).peak;
  int number = 0;
  for (const char* model : {" --set model.layers=2 --set model.width=128 --set model.heads=4 --set model.head_width=32 "
                            "--set model.feed_width=512 --set train.batch=256",
                            " --set model.layers=6 --set model.width=384 --set model.heads=6 --set model.head_width=64 "
                            "--set model.feed_width=1536 --set train.batch=64"}) {
    const auto outcome = run_program(train + std::to_string(++number) + model, scratch.path(), one_thread);
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    const auto at = outcome.error.find("memory: about ");
    ASSERT_NE(at, std::string::npos) << outcome.error;
    const double said = 1e6 * std::stod(outcome.error.substr(at + 14)), grown = outcome.peak - program;
    EXPECT_LT(said, 1.5 * grown) << model;
    EXPECT_GT(said, grown / 1.5) << model;
  }
}

TEST(Session, TooLittleMemoryIsSaidInOneLine) {
  RFS_NEEDS_NO_SANITIZER();
  const Scratch scratch;
  scratch.write("tiny.toml", tiny_settings);
  const auto outcome = run_program("train tiny.toml --set train.batch=50000 --set model.width=256 --out x",
                                   scratch.path(), one_thread + "ulimit -v 3000000;");
  EXPECT_EQ(outcome.code, 2) << outcome.error;
  EXPECT_NE(outcome.error.find("rfs: memory: too little for the model, the batch or the data; lower train.batch"),
            std::string::npos)
      << outcome.error;
}

}  // namespace
}  // namespace rfs
