// `rfs train --from`: training that starts from the weights of a run or of a folder of transformers.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "program.h"
#include "rfs/core/files.h"
#include "rfs/records/run.h"

namespace rfs {
namespace {

namespace fs = std::filesystem;

constexpr const char* one_thread = "OMP_NUM_THREADS=1";

/// The names and bytes of the tensors in a safetensors file.
std::map<std::string, std::string> tensors(const std::string& file) {
  uint64_t size = 0;
  std::memcpy(&size, file.data(), sizeof size);
  const auto header = nlohmann::json::parse(file.substr(8, size));
  std::map<std::string, std::string> found;
  for (const auto& [name, entry] : header.items()) {
    if (name == "__metadata__") continue;
    const auto begin = entry["data_offsets"][0].get<size_t>(), end = entry["data_offsets"][1].get<size_t>();
    found[name] = file.substr(8 + size + begin, end - begin);
  }
  return found;
}

struct FineTuning : testing::Test {
  const Scratch scratch;
  void SetUp() override {
    scratch.write("tiny.toml", tiny_settings);
    // Only what differs from the source, as a user would write it.
    scratch.write(
        "further.toml",
        "[task]\ntrain_lengths = [2, 4]\ntest_lengths = [5, 6]\ntrain_samples = 200\nvalidation_samples = 10\n"
        "test_samples = 10\nwords = 5\n[train]\nsteps = 12\nbatch = 8\nlog_every = 4\nlearning_rate = 1e-3\n"
        "warmup = 2\ncheckpoint_every = 3\n");
    done("train tiny.toml --set positions.use=sequential --set encoding.base=500.0 --out base");
  }
  Outcome done(const std::string& arguments) const {
    const Outcome outcome = run_program(arguments, scratch.path(), one_thread);
    EXPECT_EQ(outcome.code, 0) << arguments << ": " << outcome.error;
    return outcome;
  }
  void refused(const std::string& arguments, const std::string& says) const {
    const Outcome outcome = run_program(arguments, scratch.path(), one_thread);
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_EQ(std::count(outcome.error.begin(), outcome.error.end(), '\n'), 1) << outcome.error;
    EXPECT_NE(outcome.error.find(says), std::string::npos) << outcome.error;
    EXPECT_FALSE(scratch.has("x"));
  }
  std::string settings_of(const std::string& run) const { return scratch.read(run + "/settings.toml"); }
};

TEST_F(FineTuning, TakesModelAndWeightsFromTheRun) {
  const auto outcome = done("train further.toml --from base --out on --set train.learning_rate=1e-9");
  EXPECT_NE(outcome.error.find("weights from base: 8 tensors\n"), std::string::npos) << outcome.error;
  for (const char* line : {"use = \"sequential\"", "base = 500.0", "width = 16", "from = \"base\"", "steps = 12"}) {
    EXPECT_NE(settings_of("on").find(line), std::string::npos) << line;
  }
  const double last = rfs::Run(scratch.path() / "base").train_record().loss;
  const auto record = rfs::Run(scratch.path() / "on").train_record();
  EXPECT_NEAR(record.loss, last, 0.3) << "the loss of the source, not of random weights";
  EXPECT_EQ(record.provenance.at("source"), (fs::canonical(scratch.path()) / "base").string());
  EXPECT_EQ(record.provenance.at("source_sha256") + "\n", scratch.read("on/source.sha256"));
  done("eval on");
  done("show on");
  // The finished run needs its source no more.
  fs::rename(scratch.path() / "base", scratch.path() / "gone");
  done("eval on --again");
  done("show on");
  const std::string again = "train further.toml --set train.learning_rate=1e-9 --out ";
  for (const std::string from : {"base", "./base/"}) {
    EXPECT_NE(done(again + "on --from " + from).error.find("already trained"), std::string::npos);
  }
  refused(again + "on --from base --set train.steps=13", "on: this run began with other settings ([train] steps = 12");
  refused(again + "x --from base", "train.from: 'base' is neither a run nor a folder of transformers");
}

TEST_F(FineTuning, AnotherMethodKeepsWhatBothModelsHave) {
  auto outcome = done("train further.toml --from base --out ssmax --set attention.use=ssmax");
  EXPECT_NE(outcome.error.find("weights from base: 8 tensors; new: blocks.*.attention_rule.scale; dropped: none\n"),
            std::string::npos)
      << outcome.error;
  // A rate too small to change a float: weights are the source's, and new tensors have their initial values.
  const std::string still = " --set train.learning_rate=1e-30 --set train.weight_decay=0 ";
  outcome = done("train further.toml --from ssmax --out biased --set encoding.use=t5_bias --set attention.use=softmax" +
                 still);
  EXPECT_NE(outcome.error.find("; new: encoding.table; dropped: blocks.*.attention_rule.scale\n"), std::string::npos)
      << outcome.error;
  const auto source = tensors(scratch.read("ssmax/model.safetensors")),
             kept = tensors(scratch.read("biased/model.safetensors"));
  EXPECT_EQ(kept.size(), 9u);
  for (const auto& [name, bytes] : kept) {
    if (name.starts_with("encoding.")) continue;
    EXPECT_TRUE(source.at(name) == bytes) << name;
  }
  outcome = done("train further.toml --from ssmax --out drope --set encoding.use=none" + still);
  EXPECT_NE(outcome.error.find("weights from ssmax: 9 tensors\n"), std::string::npos) << outcome.error;
  EXPECT_TRUE(source == tensors(scratch.read("drope/model.safetensors")));
  // A pattern of layers; its tables are the new file's.
  outcome = done(
      "train further.toml --from biased --out layers --set layers.pattern=L "
      "--set layers.L.window=3");
  EXPECT_NE(outcome.error.find("; new: encoding.L.table; dropped: encoding.table\n"), std::string::npos)
      << outcome.error;
  outcome = done("train further.toml --from layers --out uniform --set 'layers.pattern=\"\"'");
  EXPECT_EQ(settings_of("uniform").find("[layers"), std::string::npos);
}

TEST_F(FineTuning, StoppedRunsEndWithTheSameBits) {
  for (const std::string how : {"", " --set train.lora=4 --set attention.use=ssmax",
                                " --set train.checkpoint=best --set train.validate_every=100"}) {
    const std::string train =
        "train further.toml --from base --set train.steps=600 --set train.checkpoint_every=100" + how + " --out ";
    done(train + "whole");
    fs::remove_all(scratch.path() / "parts");
    const auto stopped =
        interrupt_program(train + "parts", scratch.path(), scratch.path() / "parts/checkpoint.safetensors", one_thread);
    EXPECT_EQ(stopped.code, 130) << stopped.error;
    done(train + "parts");
    EXPECT_TRUE(scratch.read("whole/model.safetensors") == scratch.read("parts/model.safetensors")) << how;
    EXPECT_EQ(scratch.has("parts/checkpoint.safetensors"), false);
    fs::remove_all(scratch.path() / "whole");
  }
}

TEST_F(FineTuning, RefusesASourceThatChangedSinceTheStart) {
  const std::string train =
      "train further.toml --from base --set train.steps=600 --set train.checkpoint_every=100 --out ";
  interrupt_program(train + "run", scratch.path(), scratch.path() / "run/checkpoint.safetensors", one_thread);
  fs::remove_all(scratch.path() / "base");
  done("train tiny.toml --set positions.use=sequential --set encoding.base=500.0 --set train.seed=2 --out base");
  refused(train + "run", "run: the weights of train.from (base) changed since this run began; choose another --out");
}

TEST_F(FineTuning, AdaptersGiveAModelLikeAnyOther) {
  done("train further.toml --from base --out lora --set train.lora=4 --set attention.use=ssmax");
  const auto source = tensors(scratch.read("base/model.safetensors")),
             merged = tensors(scratch.read("lora/model.safetensors"));
  EXPECT_EQ(merged.size(), source.size() + 1);
  for (const auto& [name, bytes] : source) {
    const bool matrix = name.find("attention.") != name.npos || name.find("feed.") != name.npos;
    EXPECT_EQ(merged.at(name) != bytes, matrix) << name;
  }
  done("eval lora");
  done("train further.toml --from lora --out again --set train.lora=2");
  refused("train further.toml --from base --out x --set train.lora=17",
          "train.lora: must be at most 16, the smaller side of 'blocks.0.attention");
}

TEST_F(FineTuning, SweepsSourcesAndTheirOptions) {
  done("train further.toml --from base --out sweep --set encoding.base=[100.0,200.0]");
  EXPECT_NE(settings_of("sweep/200.0").find("base = 200.0"), std::string::npos);
  done("train further.toml --out sources --set 'train.from=[\"base\",\"sweep/100.0\"]' --set train.steps=3");
  EXPECT_NE(settings_of("sources/base").find("base = 500.0"), std::string::npos);
  EXPECT_NE(settings_of("sources/sweep_100.0").find("base = 100.0"), std::string::npos);
  fs::rename(scratch.path() / "base", scratch.path() / "gone");
  done("train further.toml --from base --out sweep --set encoding.base=[100.0,200.0]");
  fs::rename(scratch.path() / "gone", scratch.path() / "base");
  // A point is the same run as alone, also if its pattern replaces the source's layers.
  done("train tiny.toml --set model.layers=2 --set layers.pattern=LG --set layers.L.window=3 --out layered");
  const std::string pattern = "train further.toml --from layered --set train.steps=3 --set layers.pattern=";
  done(pattern + "L --out single");
  done(pattern + "[L,LG] --out patterns");
  EXPECT_EQ(settings_of("patterns/L"), settings_of("single"));
  EXPECT_EQ(settings_of("single").find("window = 3"), std::string::npos);
  EXPECT_NE(settings_of("patterns/LG").find("window = 3"), std::string::npos);
}

TEST_F(FineTuning, StartsFromAFolderOfTransformers) {
  const fs::path families = fs::path(RFS_SOURCE) / "tests/golden/families";
  fs::copy(families / "llama", scratch.path() / "llama");
  std::string text;
  for (int document = 0; document < 20; ++document) {
    for (int i = 0; i < 100; ++i) text += std::to_string(2 + (document + i) % 20) + " ";
    text += "\n<|endoftext|>\n";
  }
  scratch.write("text.txt", text);
  done(
      "corpus make corpus text.txt --validation 0.3 --set tokenizer.use=ids --set tokenizer.size=29 --set "
      "tokenizer.end=3");
  scratch.write(
      "lm.toml",
      "[task]\nuse = 'corpus'\nfolder = 'corpus'\nwindow = 8\ntest_documents = 3\n[train]\nsteps = 6\nbatch = 4\n"
      "warmup = 1\nlearning_rate = 1e-4\nvalidate_every = 0\n");
  done("import imported llama");
  const std::string rfs = " --set positions.use=random_float --set positions.range=8.0 --out ";
  auto outcome = done("train lm.toml --from llama" + rfs + "direct");
  EXPECT_NE(outcome.error.find("weights from llama: "), std::string::npos) << outcome.error;
  done("train lm.toml --from imported" + rfs + "by-import");
  EXPECT_TRUE(tensors(scratch.read("direct/model.safetensors")) ==
              tensors(scratch.read("by-import/model.safetensors")));
  EXPECT_EQ(rfs::Run(scratch.path() / "direct").train_record().trained_length, 8) << "n_tr of the new data";
  done("eval direct");
  outcome = done("export direct out");
  EXPECT_NE(outcome.output.find("Llama"), std::string::npos) << outcome.output;
}

TEST_F(FineTuning, RefusesWhatIsNoModel) {
  scratch.write("folder/something.txt", "");
  scratch.write("truncated/settings.toml", "[train]\n");
  scratch.write("truncated/train.json", "{}");
  scratch.write("truncated/model.safetensors", std::string("\xff\x00\x00\x00\x00\x00\x00\x00{\"a", 11));
  refused("train further.toml --from nowhere --out x",
          "train.from: 'nowhere' is neither a run nor a folder of transformers (it has no settings.toml and no "
          "config.json)");
  refused("train further.toml --from folder --out x", "train.from: 'folder' is neither a run nor a folder of");
  refused("train further.toml --from truncated --out x",
          "truncated/model.safetensors: must be a whole safetensors file");
  refused("train further.toml --out x --set train.lora=4",
          "--set train.lora: train.lora adapts a trained model; name it with train.from (--from RUN)");
  refused("train further.toml --from base --out x --set train.lora=-1", "train.lora must be at least 0, got -1");
  refused("train further.toml --from base --out x --set train.lora=4 --set train.device=cpu --set train.tier=engine",
          "train.tier: engine cannot train this run: it needs a GPU; set train.tier=auto");
  refused("show further.toml --set train.from=nowhere", "train.from: 'nowhere' is neither a run nor");
}

TEST_F(FineTuning, RefusesWhatDoesNotFit) {
  refused("train further.toml --from base --out x --set model.width=32",
          "--set model.width: model.width must be 16, as in train.from (base), got 32");
  refused("train further.toml --from base --out x --set model.layers=2", "model.layers must be 1, as in train.from");
  refused("train further.toml --from base --out x --set model.preset=gpt2",
          "preset gpt2: model.layers must be 1, as in train.from (base), got 12");
  refused("train further.toml --from base --out x --set task.words=6", "tokenizer: must have the ");
  done("train further.toml --from base --out biased --set encoding.use=t5_bias");
  refused("train further.toml --from biased --out x --set encoding.buckets=16", "'encoding.table' has shape [");
  refused("train further.toml --from base --out base", "train.from: a run cannot start from itself, got base");
  interrupt_program("train tiny.toml --set train.steps=100000 --set train.checkpoint_every=1 --out half",
                    scratch.path(), scratch.path() / "half/checkpoint.safetensors", one_thread);
  refused("train further.toml --from half --out x", "half: this run is not trained yet; train it before another run");
  fs::rename(scratch.path() / "base/model.safetensors", scratch.path() / "base/other.safetensors");
  refused("train further.toml --from base --out x", "base/model.safetensors");
}

}  // namespace
}  // namespace rfs
