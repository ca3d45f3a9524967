// rfs score from the command line, with a tokenizer of GPT-2's kind made here.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "program.h"

namespace rfs {
namespace {

/// GPT-2's files for a vocabulary of all bytes, <|endoftext|> and `merges` pairs of letters.
void write_tokenizer(const Scratch& scratch, const std::string& folder, int merges) {
  const auto utf8 = [](unsigned code) {
    return code < 0x80 ? std::string(1, static_cast<char>(code))
                       : std::string{static_cast<char>(0xc0 | code >> 6), static_cast<char>(0x80 | (code & 0x3f))};
  };
  std::string json = "{", pairs = "#version: 0.2\n";
  unsigned next = 0x100;
  int id = 0;
  for (unsigned byte = 0; byte < 256; ++byte) {
    const bool itself = (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
    const std::string text =
        byte == '"' || byte == '\\' ? std::string("\\") + static_cast<char>(byte) : utf8(itself ? byte : next++);
    json += "\"" + text + "\": " + std::to_string(id++) + ", ";
  }
  for (int i = 0; i < merges; ++i) {
    const char letter = static_cast<char>('a' + i);
    json += std::string("\"") + letter + "e\": " + std::to_string(id++) + ", ";
    pairs += std::string(1, letter) + " e\n";
  }
  scratch.write(folder + "/gpt2/encoder.json", json + "\"<|endoftext|>\": " + std::to_string(id) + "}");
  scratch.write(folder + "/gpt2/vocab.bpe", pairs);
}

class Score : public testing::Test {
 protected:
  void SetUp() override {
    write_tokenizer(scratch, "tokens", 3);
    write_tokenizer(scratch, "others", 4);
    std::string lines;
    for (int i = 0; i < 60; ++i) {
      const char* split = i < 50 ? "train" : i < 55 ? "validation" : "test";
      const std::string number = std::to_string(i), length = i < 55 ? "1" : "2";
      lines += R"({"prompt": "a)" + number + R"(", "answer": " the )" + number + R"( day", "length": )" + length +
               R"(, "split": ")" + split + "\"}\n";
    }
    scratch.write("lm.jsonl", lines);
    scratch.write(
        "lm.toml",
        "[task]\nuse = 'file'\nfolder = 'lm'\n[tokenizer]\nuse = 'gpt2'\n[encoding]\nuse = 'rope'\n[positions]\n"
        "use = ['sequential', 'random_float']\n[model]\npreset = 'gpt2'\nlayers = 1\nwidth = 16\nheads = 2\n"
        "head_width = 8\nfeed_width = 16\n[train]\nsteps = 3\nwarmup = 1\nbatch = 4\ndevice = 'cpu'\n[eval]\n"
        "device = 'cpu'\n");
    std::string arc, boolq;
    for (int i = 0; i < 40; ++i) {
      const std::string words = std::string(static_cast<size_t>(i % 7) * 6, 'a') + std::to_string(i);
      arc += R"({"question": ")" + words + R"(?", "choices": ["the day", "day", "a)" + words + R"("], "gold": )" +
             std::to_string(i % 3) + "}\n";
      boolq += R"({"passage": ")" + words + R"(", "question": "is it", "label": )" + (i % 2 ? "true" : "false") + "}\n";
    }
    scratch.write("sets/arc_easy.test.jsonl", arc);
    scratch.write("sets/BoolQ/val.jsonl", boolq);
    ASSERT_EQ(run("data import lm.jsonl --out lm").code, 0);
    const auto trained = run("train lm.toml --out runs");
    ASSERT_EQ(trained.code, 0) << trained.error;
  }

  Outcome run(const std::string& arguments, const std::string& tokens = "tokens") {
    return run_program(arguments, scratch.path(), "export RFS_DATA=" + tokens + "; export OMP_NUM_THREADS=1;");
  }

  Scratch scratch;
};

TEST_F(Score, WritesRecordsAndTheTable) {
  const auto scored = run("score runs --benchmarks arc_easy,boolq --data sets");
  ASSERT_EQ(scored.code, 0) << scored.error;
  EXPECT_NE(scored.output.find("| ARC-Easy  |        40 |"), std::string::npos) << scored.output;
  EXPECT_NE(scored.output.find("Next: rfs report runs --scores"), std::string::npos);
  const std::string lines = scratch.read("runs/random_float/score-arc_easy.jsonl");
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 40);
  const std::string summary = scratch.read("runs/random_float/score-boolq.json");
  EXPECT_NE(summary.find("\"commit\""), std::string::npos);
  EXPECT_EQ(summary.find("acc_norm"), std::string::npos);

  const auto again = run("score runs --benchmarks boolq --data sets");
  EXPECT_NE(again.error.find("BoolQ is scored already"), std::string::npos) << again.error;
  // A record of a version without some key is as good as one with its default; another value is not.
  const std::string record = scratch.read("runs/random_float/score-boolq.json"), key = "limit = 0\\n";
  const auto place = record.find(key);
  ASSERT_NE(place, std::string::npos) << record;
  for (const auto& [instead, said] : {std::pair("", "BoolQ is scored already"), {"limit = 3\\n", "BoolQ scored in"}}) {
    scratch.write("runs/random_float/score-boolq.json", std::string(record).replace(place, key.size(), instead));
    const auto outcome = run("score runs/random_float --benchmarks boolq --data sets");
    EXPECT_NE(outcome.error.find(said), std::string::npos) << outcome.error;
  }
  const std::string questions = scratch.read("sets/BoolQ/val.jsonl");
  scratch.write("sets/BoolQ/val.jsonl", questions + questions.substr(0, questions.find('\n') + 1));
  const auto changed = run("score runs --benchmarks boolq --data sets");
  EXPECT_NE(changed.error.find("BoolQ scored in"), std::string::npos) << changed.error;
  scratch.write("sets/BoolQ/val.jsonl", questions);
  EXPECT_EQ(run("score runs --benchmarks boolq --data sets").code, 0);
  const auto small =
      run("score runs/random_float --benchmarks arc_easy --data sets --set score.batch=1 --set eval.batch_tokens=1");
  EXPECT_EQ(small.code, 0);
  EXPECT_EQ(scratch.read("runs/random_float/score-arc_easy.jsonl"), lines) << "scores must not depend on the batch";

  const auto report = run("report runs --scores");
  ASSERT_EQ(report.code, 0) << report.error;
  EXPECT_NE(report.output.find("RoPE, simple extension"), std::string::npos) << report.output;
  EXPECT_NE(scratch.read("runs/report-scores/scores.md").find("| OOD | RoPE, RFS"), std::string::npos);
  EXPECT_NE(scratch.read("runs/report-scores/scores.tex").find("\\begin{tabular}{llrrr}"), std::string::npos);
  for (const char* name : {"scores.txt", "scores.svg", "scores.png", "scores.gp", "scores.dat"}) {
    EXPECT_TRUE(scratch.has(std::string("runs/report-scores/") + name)) << name;
  }
}

TEST_F(Score, SaysWhereALimitLeftDocumentsOut) {
  const auto scored = run("score runs --benchmarks ' arc_easy , boolq' --data sets --set score.limit=1");
  ASSERT_EQ(scored.code, 0) << scored.error;
  EXPECT_NE(scored.output.find("| ARC-Easy (first 1) |         1 |"), std::string::npos) << scored.output;
  EXPECT_EQ(scored.output.find("0.0000 |      - |          - |"), std::string::npos) << scored.output;
  const auto report = run("report runs --scores");
  ASSERT_EQ(report.code, 0) << report.error;
  EXPECT_NE(report.output.find("ARC-Easy (first 1)  BoolQ (first 1)"), std::string::npos) << report.output;
}

TEST_F(Score, MistakesGetOneLine) {
  const auto fails = [&](const Outcome& outcome, const std::string& says) {
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(std::count(outcome.error.begin(), outcome.error.end(), '\n'), 1) << outcome.error;
    EXPECT_NE(outcome.error.find(says), std::string::npos) << outcome.error;
    EXPECT_FALSE(scratch.has("runs/random_float/score-arc_easy.json"));
  };
  const std::string score = "score runs --benchmarks arc_easy --data sets";
  fails(run(score, "others"),
        "random_float/model.safetensors: the tokenizer of texts must have the model's 260 ids, got gpt2 with 261");
  fails(run(score, "nowhere"), "nowhere/gpt2/");
  fails(run(score + " --set score.longest=5"),
        "sets/arc_easy.test.jsonl: document 1: a choice must have 1 to 5 tokens, got 8");
  ASSERT_EQ(run(score + " --set score.longest=45").code, 0);
  EXPECT_NE(scratch.read("runs/sequential/score-arc_easy.jsonl").find("\"truncated\":true"), std::string::npos);
}

TEST_F(Score, StopsCleanly) {
  std::string many;
  for (int i = 0; i < 30'000; ++i)
    many += R"({"passage": "a long passage", "question": "is it", "label": 1})"
            "\n";
  scratch.write("sets/BoolQ/val.jsonl", many);
  setenv("RFS_DATA", "tokens", 1);
  const auto outcome = interrupt_program("score runs/sequential --benchmarks arc_easy,boolq --data sets",
                                         scratch.path(), scratch.path() / "runs/sequential/score-arc_easy.json");
  unsetenv("RFS_DATA");
  EXPECT_EQ(outcome.code, 130) << outcome.error;
  EXPECT_NE(outcome.error.find("rfs: stopped; finished benchmarks are kept"), std::string::npos);
  EXPECT_TRUE(scratch.has("runs/sequential/score-arc_easy.jsonl"));
  EXPECT_FALSE(scratch.has("runs/sequential/score-boolq.jsonl"));
}

}  // namespace
}  // namespace rfs
