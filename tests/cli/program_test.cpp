// The program as a user runs it.

#include "program.h"

#include <gtest/gtest.h>

#include "rfs/records/run.h"
#include "tests/sanitizer.h"

namespace rfs {
namespace {

const std::string tiny =
    "[positions]\nuse = ['random_float', 'sequential']\n[task]\ntrain_lengths = [2, 4]\ntest_lengths = [5, 6]\n"
    "train_samples = 200\nvalidation_samples = 10\ntest_samples = 10\nwords = 5\n[model]\npreset = 'tiny'\nlayers = 1\n"
    "width = 16\nheads = 2\nhead_width = 8\nfeed_width = 16\n[train]\nsteps = 20\nbatch = 8\nlog_every = "
    "5\nlearning_rate = 1e-2\n"
    "warmup = 2\n";

TEST(Program, TrainsEvaluatesAndReportsASweep) {
  const Scratch scratch;
  scratch.write("tiny.toml", tiny);
  auto outcome = run_program("train tiny.toml", scratch.path());
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_NE(outcome.error.find("random_float  trained: 20 steps"), std::string::npos) << outcome.error;
  EXPECT_NE(outcome.error.find("tok/s"), std::string::npos);
  EXPECT_EQ(outcome.error.find('\r'), std::string::npos) << "plain lines where there is no terminal";
  for (const char* name : {"settings.toml", "words.txt", "train.json", "metrics.jsonl", "model.safetensors"}) {
    EXPECT_TRUE(scratch.has(std::string("runs/tiny/sequential/") + name)) << name;
  }
  EXPECT_FALSE(scratch.has("runs/tiny/sequential/checkpoint.safetensors"));

  outcome = run_program("train tiny.toml", scratch.path());
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.error.find("already trained"), std::string::npos) << outcome.error;

  outcome = run_program("eval runs/tiny", scratch.path());
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_NE(outcome.error.find("exact match"), std::string::npos);
  EXPECT_NE(run_program("eval runs/tiny", scratch.path()).error.find("already evaluated"), std::string::npos);
  outcome = run_program("eval runs/tiny --set eval.n_in=current --set task.test_lengths=[5,9]", scratch.path());
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  const auto eval = rfs::Run(scratch.path() / "runs/tiny/random_float").eval_record();
  EXPECT_EQ(eval.lengths.size(), 3u + 5u);
  EXPECT_EQ(eval.lengths.back().length, 9);
  EXPECT_EQ(eval.lengths.back().total, 10);
  EXPECT_EQ(eval.answers.size(), 2u * 8u);
  for (const char* key : {"commit", "version", "libtorch", "machine", "date", "command", "compiler", "device"}) {
    EXPECT_FALSE(eval.provenance.at(key).empty()) << key;
  }

  // Comparing ids and comparing decoded text by the task's rule give the same verdicts.
  outcome = run_program("eval runs/tiny --set task.test_lengths=[5,9] --set eval.n_in=current --set eval.match=text",
                        scratch.path());
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  const auto by_text = rfs::Run(scratch.path() / "runs/tiny/random_float").eval_record();
  ASSERT_EQ(by_text.lengths.size(), eval.lengths.size());
  for (size_t i = 0; i < eval.lengths.size(); ++i) EXPECT_EQ(by_text.lengths[i].correct, eval.lengths[i].correct);

  outcome = run_program("eval runs/tiny --set train.seed=9", scratch.path());
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.error.find("it can change eval.*, positions.*, task.test_* and options of the encoding"),
            std::string::npos)
      << outcome.error;
  outcome = run_program("eval runs/tiny --set eval.device=cuda", scratch.path());
  if (outcome.code != 0) {  // a machine without a GPU
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.error, "rfs: eval.device: must be auto or cpu on a machine without a CUDA GPU, got \"cuda\"\n");
  }

  outcome = run_program("report runs/tiny", scratch.path());
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_NE(outcome.output.find("| random_float |"), std::string::npos) << outcome.output;
  EXPECT_TRUE(scratch.has("runs/tiny/report/index.html"));
}

TEST(Program, EvaluatesSideBySide) {
  const Scratch scratch;
  scratch.write("tiny.toml", tiny);
  const std::string eval = "eval run --as ";
  ASSERT_EQ(run_program("train tiny.toml --set positions.use=random_float --out run", scratch.path()).code, 0);
  ASSERT_EQ(run_program("eval run", scratch.path()).code, 0);
  const auto own = scratch.read("run/eval.json");
  auto outcome = run_program(eval + "current --set eval.n_in=current --set eval.decoded=4", scratch.path());
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_NE(outcome.error.find("evaluated as current"), std::string::npos) << outcome.error;
  EXPECT_EQ(outcome.output, "Next: rfs report run --eval current\n");
  outcome = run_program(eval + "current --set eval.n_in=current --set eval.decoded=4", scratch.path());
  EXPECT_NE(outcome.error.find("already evaluated, in run/eval-current.json"), std::string::npos) << outcome.error;
  EXPECT_EQ(run_program(eval + "all --set eval.decoded=99 --set eval.answers=0", scratch.path()).code, 0);
  EXPECT_EQ(run_program(eval + "text --set eval.decoded=99 --set eval.match=text", scratch.path()).code, 0);
  EXPECT_EQ(scratch.read("run/eval.json"), own);

  const rfs::Run run(scratch.path() / "run");
  EXPECT_EQ(run.evaluations(), (std::vector<std::string>{"", "all", "current", "text"}));
  EXPECT_FALSE(run.eval_record().lengths[0].decoded);
  EXPECT_EQ(run.eval_record("current").lengths[0].decoded->samples, 4);
  EXPECT_EQ(run.eval_record("current").answers.size(), 2u * 5u) << "two of each length are shown, four are measured";
  EXPECT_TRUE(run.eval_record("all").answers.empty());
  const auto all = run.eval_record("all").lengths, text = run.eval_record("text").lengths;
  ASSERT_EQ(all.size(), 5u);
  for (size_t i = 0; i < all.size(); ++i) {
    const auto& decoded = *all[i].decoded;
    EXPECT_EQ(decoded.samples, all[i].total);
    int64_t wrong = 0, placed = 0;
    for (const auto& [kind, count] : decoded.mistakes) wrong += count;
    for (const int64_t count : decoded.first_mistakes) placed += count;
    EXPECT_EQ(wrong, all[i].total - all[i].correct) << "those verified in one pass are those decoded";
    EXPECT_EQ(placed, wrong);
    EXPECT_GE(decoded.token_accuracy * static_cast<double>(all[i].total), static_cast<double>(all[i].correct));
    EXPECT_EQ(text[i].decoded->mistakes, decoded.mistakes);
  }

  outcome = run_program("report run --eval all", scratch.path());
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_NE(outcome.output.find("Wrong answers on untrained lengths, by their first mistake"), std::string::npos);
  EXPECT_TRUE(scratch.has("run/report-all/errors.png"));
  EXPECT_EQ(run_program("report run", scratch.path()).code, 0);
  EXPECT_FALSE(scratch.has("run/report/errors.png"));
  outcome = run_program("report run --eval planned", scratch.path());
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.error,
            "rfs: run: no evaluation 'planned' (it has: the main one (without --eval), all, current, text); "
            "make it with: rfs eval run --as planned\n");
  outcome = run_program(eval + "../x", scratch.path());
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.error, "rfs: name of an evaluation: must consist of letters, digits, '_' and '-', got '../x'\n");
}

TEST(Program, ImportedAnswersAreApartFromTheirPrompts) {
  const Scratch scratch;
  scratch.write("mine.jsonl",
                R"({"prompt": "Copy: a b [SEP]", "answer": "a b", "length": 2, "split": "train"}
{"prompt": "Copy: b a [SEP]", "answer": " b a", "length": 2, "split": "train"}
{"prompt": "Copy: b b [SEP]", "answer": "b b", "length": 2, "split": "validation"}
{"prompt": "Copy: a a a [SEP]", "answer": "a a a", "length": 3, "split": "test"}
)");
  auto outcome = run_program("data import mine.jsonl --out mine", scratch.path());
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_NE(outcome.output.find("Inserted a space between prompt and answer in 3 samples that had none.\n"),
            std::string::npos)
      << outcome.output;
  EXPECT_NE(scratch.read("mine/train.jsonl").find(R"("answer":" a b")"), std::string::npos);
  EXPECT_EQ(scratch.read("mine/data.json").find("[SEP]a"), std::string::npos);
}

TEST(Program, ImportedSamplesNeedNoLength) {
  const Scratch scratch;
  std::string lines;
  for (const char* prompt : {"a", "a b", "b a", "a b  c"}) {
    lines += std::string(R"({"prompt": ")") + prompt + R"(", "answer": " a"})" + "\n";
  }
  scratch.write("mine.jsonl", lines);
  const auto outcome = run_program("data import mine.jsonl --out mine --train-up-to 2", scratch.path());
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_NE(outcome.output.find("4 samples have no length; the number of words in the prompt is used.\n"),
            std::string::npos)
      << outcome.output;
  EXPECT_EQ(scratch.read("mine/test.jsonl"), R"({"prompt":"a b  c","answer":" a","length":3})"
                                             "\n");
}

// With 100,000 keys, an algorithm in quadratic time would take minutes.
TEST(Program, ManyKeysTakeNoLongTime) {
  const Scratch scratch;
  std::string keys = "[positions]\nuse = 'sequential'\n";
  for (int i = 0; i < 100'000; ++i) keys += "k" + std::to_string(i) + " = 1\n";
  scratch.write("many.toml", keys);
  const auto outcome = run_program("show many.toml", scratch.path());
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.error.find("many.toml:3: "), std::string::npos) << outcome.error;
  EXPECT_NE(outcome.error.find("'k0'"), std::string::npos) << outcome.error;
  EXPECT_EQ(run_program("show many.toml --set positions.use=random_float", scratch.path()).code, 0);
}

TEST(Program, TooLittleMemoryForDataIsSaidWithItsFile) {
  RFS_NEEDS_NO_SANITIZER();
  const Scratch scratch;
  scratch.write("mine.jsonl", "x");
  std::filesystem::resize_file(scratch.path() / "mine.jsonl", 8'000'000'000);  // a sparse file
  const auto outcome =
      run_program("data import mine.jsonl --out mine --train-up-to 3", scratch.path(), "ulimit -v 4000000;");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.error,
            "rfs: mine.jsonl: too little memory to read this file of 8000.0 MB; free some memory or use a smaller "
            "file\n");
  EXPECT_FALSE(scratch.has("mine"));
}

TEST(Program, StoredIdsAreTakenWithTheirSizeAndEndAlone) {
  const Scratch scratch;
  scratch.write("tiny.toml", tiny);
  auto outcome = run_program("data make tiny.toml --out data", scratch.path());
  ASSERT_EQ(outcome.code, 0) << outcome.error;
  const std::string train =
      "train tiny.toml --set positions.use=random_float --set task.use=file --set task.folder=data "
      "--set tokenizer.use=ids --out run";
  outcome = run_program(train, scratch.path());
  EXPECT_EQ(outcome.code, 2);
  const auto advice = outcome.error.find("; add --set ");
  ASSERT_NE(advice, std::string::npos) << outcome.error;
  EXPECT_TRUE(outcome.error.starts_with("rfs: data/train.bin: has ")) << outcome.error;
  const std::string flags = outcome.error.substr(advice + 6, outcome.error.size() - advice - 7);
  EXPECT_TRUE(flags.ends_with("--set tokenizer.end=0")) << flags;  // the end token of `words`
  outcome = run_program(train + " " + flags.substr(0, flags.rfind(" --set")), scratch.path());
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.error.find("ends answers with id 0, but"), std::string::npos) << outcome.error;
  EXPECT_FALSE(scratch.has("run"));
  outcome = run_program(train + " " + flags, scratch.path());
  EXPECT_EQ(outcome.code, 0) << outcome.error;
}

TEST(Program, MakesShowsCountsAndImportsData) {
  const Scratch scratch;
  scratch.write("tiny.toml", tiny);
  auto outcome = run_program("data make tiny.toml --out data", scratch.path());
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_NE(outcome.output.find("train           200 samples"), std::string::npos) << outcome.output;
  for (const char* name : {"train.jsonl", "train.bin", "validation.bin", "test.jsonl", "data.json"}) {
    EXPECT_TRUE(scratch.has(std::string("data/") + name)) << name;
  }
  // Training on the files is bit-identical to training on the task.
  const std::string train = "train tiny.toml --set positions.use=random_float ";
  EXPECT_EQ(run_program(train + "--out a", scratch.path()).code, 0);
  outcome = run_program(train + "--set task.use=file --set task.folder=data --out b", scratch.path());
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  const auto a = rfs::Run(scratch.path() / "a").train_record(), b = rfs::Run(scratch.path() / "b").train_record();
  EXPECT_EQ(a.loss, b.loss);
  EXPECT_EQ(a.tokens, b.tokens);

  // If the data change, `eval` evaluates again, and an unfinished run refuses to resume.
  EXPECT_EQ(run_program("eval b", scratch.path()).code, 0);
  EXPECT_NE(run_program("eval b", scratch.path()).error.find("already evaluated"), std::string::npos);
  const std::string endless = train + "--set task.use=file --set task.folder=data --set train.steps=1000000 --out e";
  EXPECT_EQ(interrupt_program(endless, scratch.path(), scratch.path() / "e/metrics.jsonl").code, 130);
  const std::string tests = scratch.read("data/test.jsonl");
  scratch.write("data/test.jsonl", tests.substr(tests.find('\n') + 1));
  EXPECT_NE(run_program("eval b", scratch.path()).error.find("evaluated in"), std::string::npos);
  outcome = run_program(endless, scratch.path());
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.error.find("e: the data in task.folder changed since this run began"), std::string::npos)
      << outcome.error;
  scratch.write("data/test.jsonl", tests);

  // Stored ids are only used if they belong to the texts beside them.
  const std::string stored = train + "--set task.use=file --set task.folder=data ";
  const std::string texts = scratch.read("data/train.jsonl");
  scratch.write("data/train.jsonl", texts.substr(texts.find('\n') + 1));
  outcome = run_program("data stats tiny.toml --set task.use=file --set task.folder=data", scratch.path());
  EXPECT_NE(outcome.output.find("train: 199 samples"), std::string::npos) << outcome.output << outcome.error;
  outcome = run_program(stored + "--set tokenizer.use=ids --set tokenizer.size=20 --out d", scratch.path());
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.error.find("data/train.bin: was not made from the current train.jsonl"), std::string::npos)
      << outcome.error;
  scratch.write("data/train.jsonl", texts);

  outcome = run_program("data show tiny.toml --split test --samples 1", scratch.path());
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_NE(outcome.output.find("length 5: Copy:"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("*</s>"), std::string::npos) << outcome.output;
  outcome = run_program("data stats tiny.toml --out figure", scratch.path());
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_NE(outcome.output.find("longest 11 = n_tr"), std::string::npos) << outcome.output;
  EXPECT_TRUE(scratch.has("figure/histogram.png"));

  std::string lines;
  for (int i = 0; i < 60; ++i) {
    const std::string words = i % 3 == 0 ? " x" : i % 3 == 1 ? " x y" : " x y z";
    lines += "{\"prompt\": \"Say" + words + " now\", \"answer\": \"" + words +
             "\", \"length\": " + std::to_string(i % 3 + 1) + "}\n";
  }
  scratch.write("mine.jsonl", lines);
  EXPECT_EQ(run_program("data import mine.jsonl --out mine", scratch.path()).code, 2);
  outcome = run_program("data import mine.jsonl --out mine --train-up-to 2 --validation 10", scratch.path());
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_NE(outcome.output.find("train            30 samples"), std::string::npos) << outcome.output;
  EXPECT_EQ(
      run_program("train tiny.toml --set positions.use=random_float --set task.use=file --set task.folder=mine --out c",
                  scratch.path())
          .code,
      0);
  outcome = run_program("eval c", scratch.path());
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_EQ(rfs::Run(scratch.path() / "c").eval_record().lengths.size(), 3u);
}

TEST(Program, ChangesWhatAFileChose) {
  const Scratch scratch;
  scratch.write("rope.toml", "[encoding]\nuse = 'rope'\nshare = 1.0\nbase = 500.0\n");
  auto outcome = run_program("show rope.toml --set encoding.use=alibi", scratch.path());
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  outcome = run_program("show rope.toml --set encoding.use=[sinusoidal,alibi] --set train.seed=[1,2]", scratch.path());
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_NE(outcome.output.find("A sweep of 4 runs: sinusoidal-1 sinusoidal-2 alibi-1 alibi-2"), std::string::npos)
      << outcome.output;
  EXPECT_NE(outcome.output.find("base = 500.0"), std::string::npos) << "a key that the new choice has stays";
  EXPECT_EQ(run_program("show rope.toml --set encoding.use=alibi --set encoding.base=3", scratch.path()).code, 2);
}

TEST(Program, OutlivesItsTerminal) {
  const Scratch scratch;
  scratch.write("tiny.toml", tiny);
  EXPECT_EQ(run_program("train tiny.toml --set positions.use=sequential --out a 2>&-", scratch.path()).code, 0);
  EXPECT_TRUE(scratch.has("a/train.json"));
  EXPECT_EQ(run_program("list >/dev/full", scratch.path()).code, 2);
}

TEST(Program, RefusesOtherSettingsInTheSameFolder) {
  const Scratch scratch;
  scratch.write("tiny.toml", tiny);
  EXPECT_EQ(run_program("train tiny.toml --set positions.use=sequential --out run", scratch.path()).code, 0);
  const auto outcome =
      run_program("train tiny.toml --set positions.use=sequential --set train.steps=30 --out run", scratch.path());
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.error.find("[train] steps = 20, now steps = 30"), std::string::npos) << outcome.error;
}

TEST(Program, SameSeedSameModel) {
  const Scratch scratch;
  scratch.write("tiny.toml", tiny);
  for (const char* out : {"a", "b"}) {
    EXPECT_EQ(
        run_program(std::string("train tiny.toml --set positions.use=random_float --out ") + out, scratch.path()).code,
        0);
  }
  EXPECT_EQ(scratch.read("a/model.safetensors"), scratch.read("b/model.safetensors"));
}

TEST(Program, StopsAtCtrlCAndGoesOnToTheSameBits) {
  const Scratch scratch;
  scratch.write("tiny.toml", tiny);
  const std::string train =
      "train tiny.toml --set positions.use=random_float --set train.steps=4000 --set train.log_every=1 --out ";
  const auto stopped = interrupt_program(train + "a", scratch.path(), scratch.path() / "a/metrics.jsonl");
  EXPECT_EQ(stopped.code, 130) << stopped.error;
  EXPECT_NE(stopped.error.find("run the same command to resume"), std::string::npos) << stopped.error;
  EXPECT_TRUE(scratch.has("a/checkpoint.safetensors"));
  EXPECT_FALSE(scratch.has("a/train.json"));
  EXPECT_EQ(run_program("eval a", scratch.path()).code, 2);
  EXPECT_EQ(run_program(train + "a", scratch.path()).code, 0);
  EXPECT_EQ(run_program(train + "b", scratch.path()).code, 0);
  EXPECT_EQ(scratch.read("a/model.safetensors"), scratch.read("b/model.safetensors"));
  EXPECT_EQ(rfs::Run(scratch.path() / "a").metrics().size(), 4000u);
}

TEST(Program, ShowsSettingsThatCanBeReadAgain) {
  const Scratch scratch;
  scratch.write("tiny.toml", tiny);
  const auto first = run_program("show tiny.toml --set train.seed=7", scratch.path());
  EXPECT_EQ(first.code, 0) << first.error;
  EXPECT_NE(first.output.find("A sweep of 2 runs: random_float sequential"), std::string::npos);
  EXPECT_NE(first.output.find("# --set train.seed"), std::string::npos);
  EXPECT_NE(first.output.find("# preset tiny"), std::string::npos);
  EXPECT_NE(first.output.find("# tiny.toml:4"), std::string::npos);
  scratch.write("again.toml", first.output);
  EXPECT_EQ(run_program("show again.toml", scratch.path()).code, 0);
  EXPECT_EQ(run_program("show", scratch.path()).code, 0);
}

TEST(Program, ListsWhatThereIs) {
  const Scratch scratch;
  const auto all = run_program("list", scratch.path());
  for (const char* name : {"random_float", "rope", "copy", "words"})
    EXPECT_NE(all.output.find(name), std::string::npos);
  EXPECT_NE(run_program("list positions random_float", scratch.path()).output.find("distribution"), std::string::npos);
  EXPECT_EQ(run_program("--help", scratch.path()).code, 0);
  EXPECT_NE(run_program("--version", scratch.path()).output.find("rfs 0.1.0"), std::string::npos);
}

// The whole demo with few steps: a test has no time to train models that succeed.
TEST(Program, Demonstrates) {
  const Scratch scratch;
  const auto outcome = run_program(
      "demo --set train.steps=3 --set train.warmup=1 --set task.test_samples=2 --set task.validation_samples=2",
      scratch.path());
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_NE(outcome.output.find("sequential"), std::string::npos) << outcome.output;
  EXPECT_TRUE(scratch.has("runs/demo/report/accuracy.png"));
  EXPECT_TRUE(scratch.has("runs/demo/report/index.html"));
}

}  // namespace
}  // namespace rfs
