// A language model from the command line: corpus, training on windows, loss by length, report.

#include <gtest/gtest.h>

#include "program.h"
#include "rfs/core/split.h"
#include "rfs/records/run.h"

namespace rfs {
namespace {

namespace fs = std::filesystem;

constexpr const char* settings = R"(
[task]
use = "corpus"
folder = "corpus"
window = 8
test_documents = 3
[tokenizer]
use = "ids"
size = 40
[encoding]
use = "rope"
[model]
preset = "gpt2"
layers = 1
width = 16
heads = 2
head_width = 8
feed_width = 16
[train]
steps = 60
batch = 4
warmup = 5
learning_rate = 1e-2
validate_every = 30
)";

/// Documents that repeatedly count up, each from a different number.
std::string documents() {
  std::string text;
  for (int document = 0; document < 20; ++document) {
    for (int i = 0; i < 100; ++i) text += std::to_string(2 + (document + i) % 30) + " ";
    text += "\n<|endoftext|>\n";
  }
  return text;
}

struct Language : testing::Test {
  const Scratch scratch;
  void SetUp() override {
    scratch.write("text.txt", documents());
    scratch.write("lm.toml", settings);
    const auto made = run_program(
        "corpus make corpus text.txt --validation 0.3 --set tokenizer.use=ids --set tokenizer.size=40", scratch.path());
    ASSERT_EQ(made.code, 0) << made.error;
  }
  Outcome run(const std::string& arguments) const {
    return run_program(arguments, scratch.path(), "OMP_NUM_THREADS=1");
  }
};

TEST_F(Language, TrainsOnWindowsAndIsMeasuredByLength) {
  auto outcome = run("train lm.toml --out run");
  ASSERT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_NE(outcome.error.find("best validation loss"), std::string::npos) << outcome.error;
  const rfs::Run run_folder(scratch.path() / "run");
  const auto record = run_folder.train_record();
  EXPECT_EQ(record.trained_length, 8);  // the tokens that the model reads, as in n_in
  EXPECT_EQ(record.tokens, 60 * 4 * 8);
  ASSERT_TRUE(record.best_validation);
  EXPECT_LT(*record.best_validation, run_folder.metrics().front().validation.value_or(0) + 1e-9);

  outcome = run("eval run");
  ASSERT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_NE(outcome.error.find("perplexity by tokens of the input"), std::string::npos) << outcome.error;
  const auto losses = run_folder.eval_record().losses;
  ASSERT_EQ(losses.size(), 2u + 3u + 4u + 5u + 6u);  // inputs of 4, 8, 16, 32 and 64 tokens
  EXPECT_EQ(losses.back().input, 64);
  EXPECT_EQ(losses.back().begin, 32);
  EXPECT_EQ(losses.back().end, 64);
  EXPECT_EQ(losses.back().targets, 3 * 32);
  for (const auto& loss : losses) EXPECT_GT(loss.loss, 0);

  ASSERT_EQ(run("eval run --as plain --set positions.use=sequential").code, 0);  // it has other keys
  EXPECT_EQ(run_folder.eval_record("plain").losses.size(), losses.size());

  outcome = run("eval run --as current --set eval.n_in=current");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.error.find("eval.n_in: must be planned for a language model"), std::string::npos) << outcome.error;

  outcome = run("report run");
  ASSERT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_TRUE(scratch.has("run/report/perplexity.svg"));
  EXPECT_NE(scratch.read("run/report/table.md").find("8 tokens"), std::string::npos);
}

TEST_F(Language, ModelsOfOtherWindowsCanHaveTheSameTest) {
  ASSERT_EQ(run("train lm.toml --set train.steps=6 --out runs/short").code, 0);
  ASSERT_EQ(run("train lm.toml --set train.steps=6 --set task.window=16 --set task.test_window=8 --out runs/long").code,
            0);
  ASSERT_EQ(run("eval runs").code, 0);
  const auto one = rfs::Run(scratch.path() / "runs/short").eval_record().losses,
             other = rfs::Run(scratch.path() / "runs/long").eval_record().losses;
  ASSERT_EQ(one.size(), other.size());
  for (size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].input, other[i].input);
    EXPECT_EQ(one[i].targets, other[i].targets);
  }
  ASSERT_EQ(run("report runs").code, 0);
  const auto table = scratch.read("runs/report/table.md");
  EXPECT_NE(table.find("trained on 8 or 16 tokens"), std::string::npos) << table;
}

TEST_F(Language, LongRopeFactorsAreSearchedAndUsed) {
  ASSERT_EQ(run("train lm.toml --out run").code, 0);
  const std::string search = "longrope run --factor 4 --rounds 1 --texts 2";
  auto outcome = run(search);
  ASSERT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_NE(outcome.output.find("Perplexity of 2 training texts of 32 tokens"), std::string::npos) << outcome.output;
  const std::string written = scratch.read("run/longrope-4.toml");
  const std::string keys = "[encoding]\nscaling = \"longrope\"\nfactor = 4\noriginal_length = 8\nfactors = [";
  EXPECT_NE(written.find(keys), std::string::npos) << written;

  outcome = run(search);
  ASSERT_EQ(outcome.code, 0) << outcome.error;
  const auto values = [](const std::string& text) { return text.substr(text.find("[encoding]")); };
  EXPECT_EQ(values(scratch.read("run/longrope-4.toml")), values(written));
  EXPECT_FALSE(scratch.has("run/longrope.progress"));

  outcome = run("eval run --as longrope --settings run/longrope-4.toml --set eval.seed=2");
  ASSERT_EQ(outcome.code, 0) << outcome.error;
  const auto stored = rfs::Run(scratch.path() / "run").eval_record("longrope").settings;
  EXPECT_NE(stored.find("scaling = \"longrope\""), std::string::npos) << stored;

  scratch.write("wrong.toml", "[encoding]\nfoo = 1\n");
  outcome = run("eval run --settings wrong.toml");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.error.find("rfs: wrong.toml:2: "), 0u) << outcome.error;
  scratch.write("wrong.toml", "[train]\nsteps = 3\n");
  EXPECT_NE(
      run("eval run --settings wrong.toml").error.find("rfs: wrong.toml:2: train.steps: evaluation cannot change"),
      std::string::npos);

  outcome = run("longrope run --factor 40");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.error,
            "rfs: run: the search needs a training document of 321 tokens, but the longest has 100; "
            "choose a smaller --factor\n");

  // A killed search continues with the losses that it has: here the first one, which is changed to recognise it.
  const fs::path progress = scratch.path() / "run/longrope.progress";
  const std::string longer = "longrope run --factor 4 --rounds 4 --texts 1000";
  ASSERT_EQ(interrupt_program(longer, scratch.path(), progress, one_thread, SIGKILL).code, 128 + SIGKILL);
  const std::string known = scratch.read("run/longrope.progress");
  const auto lines = split_lines(known);
  ASSERT_GT(lines.size(), 1u);
  scratch.write("run/longrope.progress", std::string(lines[0]) + "\n0.5\n1.2");
  outcome = run(longer);
  ASSERT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_NE(outcome.output.find("  linear     1.649\n"), std::string::npos) << outcome.output;
  EXPECT_EQ(outcome.output.find("  ntk        3.32"), std::string::npos) << "a cut-off line is no loss";
  EXPECT_FALSE(fs::exists(progress));
  EXPECT_NE(outcome.error.find("training texts instead of 1000: no more have 33 tokens"), std::string::npos)
      << outcome.error;
  EXPECT_EQ(scratch.read("run/longrope-4.toml").find("# Found on 1000 training texts"), std::string::npos);
}

TEST_F(Language, ABatchInPartsGivesTheSameCurve) {
  ASSERT_EQ(run("train lm.toml --out whole").code, 0);
  ASSERT_EQ(run("train lm.toml --set train.micro_batch=3 --out parts").code, 0);
  const auto whole = rfs::Run(scratch.path() / "whole").metrics(), parts = rfs::Run(scratch.path() / "parts").metrics();
  ASSERT_EQ(whole.size(), parts.size());
  for (size_t i = 0; i < whole.size(); ++i) EXPECT_NEAR(whole[i].loss, parts[i].loss, 1e-3 * whole[i].loss);
}

TEST_F(Language, MistakesGetOneLine) {
  const auto says = [&](const std::string& arguments, const std::string& line) {
    const auto outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_NE(outcome.error.find(line), std::string::npos) << outcome.error;
  };
  says("train lm.toml --set task.folder=nowhere --out x",
       "nowhere: no such folder; make a corpus with rfs corpus make");
  says("train lm.toml --set 'task.folder=\"\"' --out x",
       "task.folder: not set; set it to a folder written by `rfs corpus make`");
  says("train lm.toml --set task.window=100000 --out x", "task.window: must be below the");
  says("train lm.toml --set tokenizer.use=words --out x", "corpus");
  says("train lm.toml --set tokenizer.end=2 --out x",
       "corpus: has 40 ids and ends documents with id 1, but tokenizer.size is 40 and tokenizer.end is 2; add --set");
  EXPECT_FALSE(scratch.has("x"));
}

TEST_F(Language, ATestThatCannotBeMadeIsSaidBeforeTraining) {
  auto outcome = run("train lm.toml --set task.test_windows=20 --out x");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(
      outcome.error,
      "rfs: corpus: the test needs a validation document of 161 tokens (task.test_windows=20 of task.window=8), but "
      "the longest has 101; lower task.test_windows or task.window, or set task.test_documents=0 to train "
      "without a test\n");
  EXPECT_FALSE(scratch.has("x"));

  const std::string untested = " --set task.test_windows=20 --set task.test_documents=0 --set train.steps=6 --out x";
  outcome = run("train lm.toml" + untested);
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  outcome = run("eval x");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.error.find("task.test_documents is 0: there is nothing to evaluate"), std::string::npos)
      << outcome.error;
  EXPECT_EQ(run("eval x --set task.test_documents=3 --set task.test_windows=8").code, 0);
}

}  // namespace
}  // namespace rfs
