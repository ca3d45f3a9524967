// `rfs generate`.

#include <gtest/gtest.h>

#include "program.h"
#include "rfs/records/policies.h"
#include "rfs/report/policies.h"

namespace rfs {
namespace {

constexpr const char* settings = R"(
[task]
use = "corpus"
folder = "corpus"
window = 16
test_windows = 3
[tokenizer]
use = "bytes"
[encoding]
use = "rope"
[model]
preset = "gpt2"
layers = 2
width = 32
heads = 2
head_width = 16
feed_width = 64
[train]
steps = 150
batch = 16
warmup = 10
learning_rate = 1e-2
)";

class Generate : public testing::Test {
 protected:
  // All tests share one trained model, because they only look at generated text.
  static void SetUpTestSuite() {
    scratch = new Scratch;
    std::string text;
    for (int document = 0; document < 20; ++document) {
      for (int i = 0; i < 60; ++i) text += "abcdefgh"[(document + i) % 8];
      text += "\xc3\xa9" + std::to_string(document) + "\n<|endoftext|>\n";
    }
    scratch->write("text.txt", text);
    scratch->write("lm.toml", settings);
    ASSERT_EQ(run("corpus make corpus text.txt --validation 0.3 --set tokenizer.use=bytes").code, 0);
    const auto trained = run("train lm.toml --out run");
    ASSERT_EQ(trained.code, 0) << trained.error;
  }
  static void TearDownTestSuite() { delete scratch; }
  static Outcome run(const std::string& arguments) {
    return run_program(arguments, scratch->path(), "OMP_NUM_THREADS=1");
  }
  static inline const Scratch* scratch = nullptr;
};

TEST_F(Generate, WritesOnUnderEveryPolicy) {
  for (const std::string policy : {"planned", "current", "bucket", "rerotate"}) {
    const auto outcome = run("generate run --prompt abcdefgh --tokens 24 --bucket 4 --n-in " + policy);
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_EQ(outcome.output.substr(0, 4), "abcd") << policy;  // as in the training text
    EXPECT_NE(outcome.error.find("n_in " + policy), std::string::npos) << outcome.error;
  }
}

TEST_F(Generate, HearsCtrlCWhileItWaitsForThePrompt) {
  const std::string waiting = "mkfifo input; exec 0<>input; (sleep 2; kill -INT $$) & ";  // an input that never ends
  const auto outcome = kill_program("generate run --tokens 8", scratch->path(), waiting, 60);
  EXPECT_EQ(outcome.code, 130);
  EXPECT_EQ(outcome.error, "rfs: standard input: stopped before its end\n");
}

TEST_F(Generate, EndsWhenNobodyReads) {
  const auto outcome =
      kill_program("generate run --prompt abcdefgh --tokens 1000000 | head -c 3", scratch->path(), "", 60);
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_EQ(outcome.output, "abc");
  std::string lines;
  for (int i = 0; i < 200'000; ++i) lines += "abcdefgh\n";
  scratch->write("endless.txt", lines);
  const auto batch =
      kill_program("generate run --prompts endless.txt --batch 1 --tokens 1 | head -c 3", scratch->path(), "", 60);
  EXPECT_EQ(batch.code, 0) << batch.error;
  EXPECT_EQ(batch.output, "{\"n");
}

TEST_F(Generate, TakesThePromptFromFileOrInput) {
  scratch->write("prompt.txt", "bcdefgh\n");
  const auto flag = run("generate run --prompt bcdefgh --tokens 8");
  const auto file = run("generate run --file prompt.txt --tokens 8");
  const auto input = run("generate run --tokens 8 < prompt.txt");
  EXPECT_EQ(flag.output, file.output) << file.error;
  EXPECT_EQ(flag.output, input.output) << input.error;
  EXPECT_EQ(run("generate run --prompt '' --tokens 4").code, 0);  // as at the start of a document
  const auto plain = run("generate run --prompt abc --tokens 4 --set positions.use=sequential");  // it has other keys
  EXPECT_EQ(plain.code, 0) << plain.error;
}

TEST_F(Generate, DrawsTheSameForTheSameSeed) {
  const std::string drawn = "generate run --prompt abc --tokens 30 --temperature 3 --top-k 50 --top-p 0.99 --seed ";
  EXPECT_EQ(run(drawn + "1").output, run(drawn + "1").output);
  EXPECT_NE(run(drawn + "1").output, run(drawn + "2").output);
}

TEST_F(Generate, ContinuesPromptsInBatches) {
  scratch->write("prompts.txt", "abcdefgh\nbcd\n\nefghabcdefgh\nh\n");
  const std::string drawn = "generate run --tokens 20 --temperature 1.5 --n-in current ";
  const auto outcome = run(drawn + "--prompts prompts.txt --batch 2");
  ASSERT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_EQ(std::count(outcome.output.begin(), outcome.output.end(), '\n'), 5);
  EXPECT_EQ(outcome.output.find(R"({"number":1,"prompt":"abcdefgh","text":")"), 0u) << outcome.output;
  EXPECT_NE(outcome.output.find(R"("prompt_tokens":12,"tokens":)"), std::string::npos) << outcome.output;
  // A text depends neither on the size of the batch nor on its neighbours.
  for (const char* batch : {"1", "3", "100"}) {
    EXPECT_EQ(run(drawn + "--prompts prompts.txt --batch " + batch).output, outcome.output) << batch;
  }
  const auto alone = run(drawn + "--prompt abcdefgh").output;
  EXPECT_NE(outcome.output.find("\"text\":\"" + alone.substr(0, 3)), std::string::npos) << alone;

  scratch->write("prompts.jsonl",
                 "{\"prompt\": \"abcdefgh\"}\n{\"prompt\": \"bcd\", \"answer\": \"x\"}\n{\"prompt\": \"\"}\n"
                 "{\"prompt\": \"efghabcdefgh\"}\n{\"prompt\": \"h\"}\n");
  EXPECT_EQ(run(drawn + "--prompts prompts.jsonl").output, outcome.output);
  scratch->write("prompts.txt", "abcdefgh\r\nbcd\r\n\r\nefghabcdefgh\r\nh\r\n");
  EXPECT_EQ(run(drawn + "--prompts prompts.txt").output, outcome.output) << "CR LF";
  for (const std::string file : {"broken.txt", "broken.jsonl"}) {
    scratch->write(file, "{\"prompt\": \"a\"}\n{\"prompt\": \"\xe9t\xe9\"}\n");
    const auto broken = run(drawn + "--prompts " + file);
    EXPECT_EQ(broken.code, 2);
    EXPECT_EQ(broken.error, "rfs: " + file + ":2: not valid UTF-8; convert the file to UTF-8\n");
  }
}

TEST_F(Generate, ResumesPromptsWhereItStopped) {
  scratch->write("many.txt", "abc\nbcd\ncde\ndef\nefg\nfgh\n");
  const std::string many = "generate run --prompts many.txt --batch 1 --tokens 300 --out ";
  ASSERT_EQ(run(many + "whole.jsonl").code, 0);
  EXPECT_FALSE(scratch->has("whole.jsonl.part"));
  const auto stopped =
      interrupt_program(many + "out/texts.jsonl", scratch->path(), scratch->path() / "out/texts.jsonl.part");
  EXPECT_EQ(stopped.code, 130) << stopped.error;
  EXPECT_FALSE(scratch->has("out/texts.jsonl"));
  EXPECT_NE(stopped.error.find("rfs: stopped; run the same command again to resume\n"), std::string::npos);
  const auto other = run(many + "out/texts.jsonl --seed 2");
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.error.find("texts.jsonl.part: belongs to other prompts, options or weights"), std::string::npos)
      << other.error;
  const auto resumed = run(many + "out/texts.jsonl");
  EXPECT_EQ(resumed.code, 0) << resumed.error;
  EXPECT_EQ(resumed.output, "");
  EXPECT_EQ(scratch->read("out/texts.jsonl"), scratch->read("whole.jsonl"));
  EXPECT_EQ(names(scratch->path() / "out"), std::set<std::string>{"texts.jsonl"});
  const auto again = run(many + "whole.jsonl");
  EXPECT_EQ(again.code, 2);
  EXPECT_EQ(again.error, "rfs: --out whole.jsonl: already exists; choose another name or remove it\n");
}

TEST_F(Generate, ComparesThePolicies) {
  const auto outcome = run("generate run --compare --texts 2 --tokens 40");
  ASSERT_EQ(outcome.code, 0) << outcome.error;
  const auto record = read_policies(scratch->path() / "run/policies.json");
  EXPECT_EQ(record.texts, 2);
  EXPECT_EQ(record.parts.front().policy, "current");
  EXPECT_EQ(record.parts.back().policy, "rerotate");
  for (const char* name : {"agreement", "perplexity", "speed"}) {
    for (const char* ending : {".svg", ".png", ".pdf", ".gp"}) {
      EXPECT_TRUE(scratch->has(std::string("run/policies/") + name + ending));
    }
  }
  EXPECT_EQ(scratch->read("run/policies/agreement.dat"), panel_data(agreement_figure(record)));
  EXPECT_NE(scratch->read("run/policies/table.md").find("| rerotate |"), std::string::npos);
}

TEST_F(Generate, MistakesGetOneLine) {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"generate run --prompt a --top-k -1", "rfs: --top-k: generate.top_k must be at least 0, got -1\n"},
      {"generate run --prompt a --n-in later",
       "rfs: --n-in: generate.n_in must be one of planned, current, bucket, rerotate, got \"later\"\n"},
      {"generate run --prompt a --tokens 0", "rfs: --tokens: generate.tokens must be between 1 and 8388608, got 0\n"},
      {"generate run --prompt a --temperature hot", "rfs: --temperature: generate.temperature must be "},
      {"generate run --prompt a --file prompt.txt", "rfs: --prompt: cannot be combined with --file\n"},
      {"generate run --file none.txt", "rfs: none.txt: "},
      {"generate run --prompt a --set model.layers=3",
       "rfs: --set model.layers: unknown table 'model'; known: encoding, eval, positions, task\n"},
      {"generate run --compare --texts 0", "rfs: --texts: must be at least 1, got 0\n"},
      {"generate run --prompt a --texts 3", "rfs: command line: --texts requires --compare; see rfs --help\n"},
      {"generate run --compare --prompt a", "rfs: command line: --prompt excludes --compare; see rfs --help\n"},
      {"generate corpus --prompt a", "rfs: corpus: "},
      {"generate run --prompts prompt.txt --batch 0", "rfs: command line: --batch: Value 0 not in range"},
      {"generate run --prompts none.txt", "rfs: none.txt: "},
      {"generate run --prompts empty.txt", "rfs: empty.txt: no prompts found in this file\n"},
      {"generate run --prompts broken.jsonl", "rfs: broken.jsonl:2: not of the form {\"prompt\": text}\n"},
      {"generate run --prompt a --out x", "rfs: command line: --out requires --prompts; see rfs --help\n"},
      {"generate run --prompts prompt.txt --prompt a", "rfs: command line: --prompt"},
  };
  scratch->write("prompt.txt", "abc\n");
  scratch->write("empty.txt", "");
  scratch->write("broken.jsonl", "{\"prompt\": \"a\"}\n{\"prompt\": 3}\n");
  for (const auto& [command, message] : rows) {
    const auto outcome = run(command);
    EXPECT_EQ(outcome.code, 2) << command;
    EXPECT_EQ(outcome.output, "") << command;
    EXPECT_EQ(outcome.error.substr(0, message.size()), message) << command;
    EXPECT_EQ(std::count(outcome.error.begin(), outcome.error.end(), '\n'), 1) << outcome.error;
  }
}

}  // namespace
}  // namespace rfs
