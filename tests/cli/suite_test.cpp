// `rfs score --suite long` from the command line, with a tiny random model that reads bytes.

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "program.h"

namespace rfs {
namespace {

using Json = nlohmann::json;

class Suite : public testing::Test {
 protected:
  void SetUp() override {
    std::string lines;
    for (int i = 0; i < 30; ++i) {
      lines += R"({"prompt": "a", "answer": " b)" + std::to_string(i) + R"(", "length": 1, "split": ")" +
               (i < 20   ? "train"
                : i < 25 ? "validation"
                         : "test") +
               "\"}\n";
    }
    scratch.write("lm.jsonl", lines);
    ASSERT_EQ(run("data import lm.jsonl --out lm").code, 0);
    train("run", "");
  }

  void train(const std::string& name, const std::string& encoding) {
    scratch.write("lm.toml",
                  "[task]\nuse = 'file'\nfolder = 'lm'\n[tokenizer]\nuse = 'bytes'\n[model]\npreset = 'gpt2'\n"
                  "layers = 1\nwidth = 16\nheads = 2\nhead_width = 8\nfeed_width = 16\n[train]\nsteps = 3\n"
                  "warmup = 1\nbatch = 4\ndevice = 'cpu'\n[eval]\ndevice = 'cpu'\n" +
                      encoding);
    const auto trained = run("train lm.toml --out " + name);
    ASSERT_EQ(trained.code, 0) << trained.error;
  }

  Outcome run(const std::string& arguments) { return run_program(arguments, scratch.path(), one_thread); }
  Json cells(const std::string& task) { return Json::parse(scratch.read("run/long-" + task + ".json")).at("cells"); }

  /// Without the first `count` cells.
  Json after_the_first(const std::string& task, int count) {
    Json all = cells(task);
    all.erase(all.begin(), all.begin() + count);
    return all;
  }

  Scratch scratch;
};

const std::string score = "score run --suite long --samples 2 --tasks passkey,frequent_words ";

TEST_F(Suite, WritesRecordsAndTheHeatMap) {
  const auto scored = run(score + "--lengths 1k,768");
  ASSERT_EQ(scored.code, 0) << scored.error;
  EXPECT_NE(scored.output.find("| passkey, depth 25 %  |"), std::string::npos) << scored.output;
  EXPECT_NE(scored.output.find("| tokens               | 768 | 1024 |"), std::string::npos) << scored.output;
  EXPECT_NE(scored.output.find("Next: rfs report run --scores"), std::string::npos);
  const Json passkey = Json::parse(scratch.read("run/long-passkey.json"));
  EXPECT_TRUE(passkey.at("provenance").contains("commit"));
  EXPECT_EQ(passkey.at("seed"), 1);
  ASSERT_EQ(passkey.at("cells").size(), 10u);
  for (const auto& cell : passkey.at("cells")) {
    EXPECT_LT(cell.at("log_likelihood").get<double>(), -1);
    ASSERT_EQ(cell.at("answers").size(), 2u);
    for (const auto& answer : cell.at("answers")) {
      EXPECT_LT(answer.at("tokens").get<int64_t>(), cell.at("length").get<int64_t>());
      EXPECT_GT(answer.at("tokens").get<int64_t>(), cell.at("length").get<int64_t>() - 120);
    }
  }
  ASSERT_EQ(cells("frequent_words").size(), 2u);
  EXPECT_FALSE(cells("frequent_words").front().contains("depth"));

  const auto again = run(score + "--lengths 768");
  EXPECT_NE(again.error.find("passkey is already scored"), std::string::npos) << again.error;
  const Json before = cells("passkey");
  ASSERT_EQ(run(score + "--lengths 512 --set eval.batch_tokens=8192").code, 0);
  EXPECT_EQ(cells("passkey").size(), 15u) << "another length is added";
  EXPECT_EQ(after_the_first("passkey", 5), before);
  ASSERT_EQ(run("score run --suite long --samples 2 --tasks passkey --lengths 512,768,1k --again").code, 0);
  EXPECT_EQ(after_the_first("passkey", 5), before) << "the same seed gives the same scores";
  ASSERT_EQ(run("score run --suite long --samples 2 --tasks passkey --lengths 768 --again").code, 0);
  EXPECT_EQ(after_the_first("passkey", 5), before);
  EXPECT_EQ(cells("passkey").size(), 15u) << "cells that were not asked for stay";
  const auto other = run(score + "--lengths 512 --seed 2");
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.error.find("long-passkey.json: has scores with other settings, --samples or --seed; add --again"),
            std::string::npos)
      << other.error;
  EXPECT_EQ(cells("passkey").size(), 15u);
  ASSERT_EQ(run(score + "--lengths 512 --seed 2 --again").code, 0);
  EXPECT_EQ(cells("passkey").size(), 5u) << "another seed starts a new record";

  const auto published = run("report run --scores --published");
  EXPECT_EQ(published.code, 2);
  EXPECT_NE(published.error.find("--published: these runs have no scores of benchmarks"), std::string::npos);
  const auto report = run("report run --scores");
  ASSERT_EQ(report.code, 0) << report.error;
  for (const char* name : {"long.png", "long.svg", "long.pdf", "long.gp", "long.dat", "long.md", "index.html"}) {
    EXPECT_TRUE(scratch.has(std::string("run/report-scores/") + name)) << name;
  }
  EXPECT_FALSE(scratch.has("run/report-scores/scores.txt"));
}

TEST_F(Suite, ContinuesAfterAnInterruption) {
  const std::string arguments = "score run --suite long --samples 3 --tasks niah,passkey --lengths 1k,2k";
  const auto stopped = interrupt_program(arguments, scratch.path(), scratch.path() / "run/long-niah.json");
  EXPECT_EQ(stopped.code, 130) << stopped.error;
  EXPECT_NE(stopped.error.find("finished lengths and depths are kept"), std::string::npos) << stopped.error;
  EXPECT_FALSE(scratch.has("run/long-passkey.json"));
  const size_t done = cells("niah").size();
  EXPECT_LT(done, 10u);
  ASSERT_EQ(run(arguments).code, 0);
  const Json continued = cells("niah");
  EXPECT_EQ(continued.size(), 10u);
  ASSERT_EQ(run(arguments + " --again").code, 0);
  EXPECT_EQ(cells("niah"), continued);
  std::filesystem::remove(scratch.path() / "run/long-passkey.json");
  const auto again =
      interrupt_program("score run --suite long --samples 3 --tasks passkey,niah --lengths 1k,2k --again",
                        scratch.path(), scratch.path() / "run/long-passkey.json");
  EXPECT_EQ(again.code, 130) << again.error;
  EXPECT_NE(again.error.find("and the others have their earlier scores"), std::string::npos) << again.error;
  EXPECT_EQ(cells("niah"), continued);
}

// Texts of one task differ in their size. A length is accepted if all of its texts fit, before anything is scored.
TEST_F(Suite, ChecksEveryTextOfALength) {
  const std::string arguments = "score run --suite long --samples 20 --tasks mqar --lengths ";
  const auto refused = run(arguments + "50");
  EXPECT_EQ(refused.code, 2);
  const std::string begin = "--lengths 50: mqar needs at least ";
  ASSERT_NE(refused.error.find(begin), std::string::npos) << refused.error;
  const int64_t enough = std::stoll(refused.error.substr(refused.error.find(begin) + begin.size())) + 20;
  ASSERT_EQ(run(arguments + std::to_string(enough)).code, 0);
  const int64_t few = enough - 40;  // enough for most texts
  const auto late = run(arguments + std::to_string(few) + "," + std::to_string(enough));
  EXPECT_EQ(late.code, 2);
  EXPECT_NE(late.error.find("--lengths " + std::to_string(few) + ": mqar needs at least "), std::string::npos)
      << late.error;
  EXPECT_EQ(cells("mqar").size(), 1u);
}

TEST(TokenSuite, CountsRightAnswersByDepth) {
  const Scratch scratch;
  scratch.write("needle.toml", tiny_settings);
  const std::string assignments =
      " --set task.use=needle --set task.train_lengths=[12,14] --set task.test_lengths=[15,16] --set "
      "task.test_samples=50 --set task.train_samples=60 ";
  ASSERT_EQ(run_program("data make needle.toml --out data" + assignments, scratch.path(), one_thread).code, 0);
  // The same samples from the task and from files.
  const auto trained = run_program("train needle.toml --out task" + assignments, scratch.path(), one_thread);
  ASSERT_EQ(trained.code, 0) << trained.error;
  scratch.write("file.toml",
                "[task]\nuse = 'file'\nfolder = 'data'\n" + tiny_settings.substr(tiny_settings.find("[model]")));
  ASSERT_EQ(run_program("train file.toml --out file", scratch.path(), one_thread).code, 0);
  std::vector<Json> totals;
  for (const std::string name : {"task", "file"}) {
    const auto evaluated = run_program("eval " + name, scratch.path(), one_thread);
    ASSERT_EQ(evaluated.code, 0) << evaluated.error;
    Json counts;
    const Json record = Json::parse(scratch.read(name + "/eval.json"));
    for (const auto& length : record.at("lengths")) {
      int64_t correct = 0, total = 0;
      for (const auto& bin : length.at("depths")) {
        correct += bin.at("correct").get<int64_t>();
        total += bin.at("total").get<int64_t>();
        counts.push_back({length.at("length"), bin.at("depth"), bin.at("total")});
      }
      EXPECT_EQ(length.at("correct"), correct);
      EXPECT_EQ(length.at("total"), total);
    }
    totals.push_back(counts);
  }
  EXPECT_EQ(totals[0], totals[1]);
  const auto report = run_program("report task", scratch.path());
  ASSERT_EQ(report.code, 0) << report.error;
  EXPECT_NE(report.output.find("Depths  task/report/depth.png"), std::string::npos) << report.output;
}

struct Mistake {
  const char* arguments;
  const char* says;
};

const std::vector<Mistake> mistakes = {
    {"--suite lang --lengths 1k", "--suite: unknown suite 'lang' (did you mean 'long'?); known: long"},
    {"--suite long", "command line: --lengths is required"},
    {"--suite long --lengths 1k --benchmarks boolq", "--benchmarks excludes --suite"},
    {"--benchmarks boolq --lengths 1k", "--lengths requires --suite"},
    {"--suite long --lengths 1k,2m",
     "--lengths: must be numbers of tokens from 1 to 8388608, such as 512 or 4k, got '2m'"},
    {"--suite long --lengths 99999k", "such as 512 or 4k, got '99999k'"},
    {"--suite long --lengths 0", "such as 512 or 4k, got '0'"},
    {"--suite long --lengths 1k --tasks paskey",
     "--tasks: unknown task of the suite 'paskey' (did you mean 'passkey'?); known: common_words, frequent_words, "
     "mqar, "
     "niah"},
    {"--suite long --lengths 1k --tasks niah,niah", "--tasks: each must be named once, got 'niah' again"},
    {"--suite long --lengths 1k --samples 0", "--samples: Value 0 not in range"},
    {"--suite long --lengths 1k --set train.steps=3",
     "--set train.steps: unknown table 'train'; known: encoding, eval, positions"},
    {"--suite long --lengths 1k --set encoding.use=rope",
     "--set encoding.use: scoring cannot change what was trained; it can change eval.*"},
    {"--suite long --lengths 1k", "untrained: this run is not trained yet; train it before it is scored"},
};

TEST(SuiteMistakes, GetOneLineAndCodeTwo) {
  const Scratch scratch;
  scratch.write("untrained/settings.toml", "[train]\n");
  for (const auto& [arguments, says] : mistakes) {
    const auto outcome = run_program(std::string("score untrained ") + arguments, scratch.path());
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_EQ(outcome.output, "");
    EXPECT_TRUE(outcome.error.starts_with("rfs: ")) << outcome.error;
    EXPECT_EQ(std::count(outcome.error.begin(), outcome.error.end(), '\n'), 1) << outcome.error;
    EXPECT_NE(outcome.error.find(says), std::string::npos) << outcome.error;
    EXPECT_EQ(names(scratch.path() / "untrained"), std::set<std::string>{"settings.toml"});
  }
}

TEST_F(Suite, MistakesGetOneLine) {
  const auto fails = [&](const Outcome& outcome, const std::string& says) {
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(std::count(outcome.error.begin(), outcome.error.end(), '\n'), 1) << outcome.error;
    EXPECT_NE(outcome.error.find(says), std::string::npos) << outcome.error;
    EXPECT_FALSE(scratch.has("run/long-passkey.json"));
  };
  fails(run("score run --suite long --lengths 100,1k"), "--lengths 100: common_words needs at least ");
  fails(run("score run --suite long --tasks passkey --lengths 100k --set positions.use=random_integer "
            "--set positions.range=1000"),
        "run: positions.range: must be at least the tokens of a row");
  train("table", "[positions]\nuse = 'sequential'\n[encoding]\nuse = 'learned'\nsize = 300\n");
  fails(run("score table --suite long --tasks passkey --lengths 300,512"),
        "table: --lengths 512: the model has learned positions up to 299, and a row of 512 tokens needs 511; choose "
        "shorter lengths");
  scratch.write("copy.toml", tiny_settings);
  ASSERT_EQ(run("train copy.toml --out copy").code, 0);
  fails(run("score copy --suite long --lengths 1k"),
        "copy: scoring needs a tokenizer of English text (gpt2, t5, hf or bytes), got words");
}

}  // namespace
}  // namespace rfs
