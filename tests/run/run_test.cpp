// The library trains, evaluates and reports runs without the program, reports events, and compares settings by value.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <regex>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/model/safetensors.h"
#include "rfs/run/data.h"
#include "rfs/run/evaluation.h"
#include "rfs/run/long_scoring.h"
#include "rfs/run/stored_settings.h"
#include "rfs/run/sweep.h"
#include "rfs/run/training.h"

namespace rfs {
namespace {

namespace fs = std::filesystem;

const std::string small =
    "[task]\nwords = 5\ntrain_lengths = [2, 4]\ntest_lengths = [5, 6]\ntrain_samples = 50\nvalidation_samples = 2\n"
    "test_samples = 2\n[model]\npreset = 'tiny'\nlayers = 1\nwidth = 16\nheads = 2\nhead_width = 8\nfeed_width = 16\n"
    "[train]\nsteps = 12\nbatch = 8\nlearning_rate = 1e-2\nwarmup = 3\nlog_every = 5\n";

/// Records all events as text.
struct RecordedEvents : RunEvents {
  void note(const std::string& title, const std::string& text) override { add("note " + title + ": " + text); }
  void training_begins(const std::string& title, const std::vector<std::string>&) override { add("train " + title); }
  void training_progress(size_t, const Progress& progress) override { steps = progress.step; }
  void job_ended(size_t, const std::string& text) override { add("ended: " + text); }
  void training_over() override { add("over"); }
  void measuring_begins(Measurement, const std::string& title) override { add("measure " + title); }
  void measured(const std::string& text) override { add("measured: " + text); }
  void measuring_over() override { add("over"); }

  void add(const std::string& text) { all += text + "\n"; }
  bool has(const std::string& text) const { return all.find(text) != std::string::npos; }

  std::string all;
  int64_t steps = 0;
};

class RunLayer : public testing::Test {
 protected:
  void TearDown() override { fs::remove_all(folder); }

  Job job(const std::vector<std::string>& assignments = {}) const {
    return {run.folder(), RunSettings::read(assigned(Settings::from_text(small, "test"), assignments)), "job"};
  }
  bool train(const Job& one) {
    check_jobs({one}, context);
    return train_jobs({one}, false, context);
  }
  /// Trains until the first check for a stop.
  void train_and_stop(const Job& one) {
    context.stopped = [] { return true; };
    EXPECT_FALSE(train(one));
    context.stopped = [] { return false; };
  }

  /// Removes the lines of a key from settings, as if an older version without that key had written them.
  static std::string without(const std::string& settings, const std::string& key) {
    return std::regex_replace(settings, std::regex("(^|\n)" + key + " = [^\n]*"), "");
  }
  void edit_settings(const std::string& text) const { write_file(run.file("settings.toml"), text); }
  void edit_tensors(const std::string& name, const std::string& key) const {
    TensorFile file = read_tensors(run.file(name));
    file.metadata["settings"] = without(file.metadata["settings"], key);
    write_tensors(run.file(name), file);
  }
  std::string refusal(const Job& one) {
    try {
      check_jobs({one}, context);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  fs::path folder = fs::temp_directory_path() / ("rfs_run_test_" + std::to_string(getpid()));
  rfs::Run run{folder / "run"};
  RecordedEvents events;
  RunContext context = [this] {
    RunContext made;
    made.command = "test";
    made.events = &events;
    return made;
  }();
};

// A row's groups are those of its words, so position coupling needs one id per word.
TEST(Groups, NeedOneIdPerWord) {
  const auto data = [](const std::string& task, const std::string& tokenizer) {
    return RunSettings::read(Settings::from_text(
        "[positions]\nuse = 'coupled'\n[task]\nuse = '" + task + "'\n[tokenizer]\nuse = '" + tokenizer + "'\n",
        "test"));
  };
  for (const std::string task : {"addition", "long_addition"}) {
    const auto words = data(task, "words"), bytes = data(task, "bytes");
    EXPECT_NO_THROW(run_tracks(words, std::make_shared<const RunData>(words))) << task;
    EXPECT_THROW(run_tracks(bytes, std::make_shared<const RunData>(bytes)), Error) << task;
  }
}

TEST_F(RunLayer, TellsWhatItDoes) {
  train_and_stop(job());
  EXPECT_TRUE(events.has("train job\nended: stopped after step")) << events.all;
  EXPECT_TRUE(train(job()));
  EXPECT_EQ(events.steps, 12);
  EXPECT_TRUE(events.has("ended: trained: 12 steps")) << events.all;
  EXPECT_TRUE(train(job()));
  EXPECT_TRUE(events.has("note job: already trained: 12 steps")) << events.all;

  EvalRequest request;
  context.stopped = [] { return true; };
  EXPECT_EQ(evaluate_run(run, request, context).status, EvalOutcome::Status::stopped);
  EXPECT_FALSE(run.evaluated());
  context.stopped = [] { return false; };
  const auto first = evaluate_run(run, request, context);
  EXPECT_EQ(first.status, EvalOutcome::Status::evaluated);
  EXPECT_EQ(first.record->provenance.at("command"), "test");
  EXPECT_EQ(evaluate_run(run, request, context).status, EvalOutcome::Status::already_evaluated);
  EXPECT_TRUE(events.has("measure run\nmeasured: stopped; nothing was written\nover\n")) << events.all;
  request.again = true;
  EXPECT_EQ(evaluate_run(run, request, context).status, EvalOutcome::Status::evaluated);
}

TEST_F(RunLayer, ARunThatLacksAKeyWithItsDefaultResumes) {
  ASSERT_TRUE(train(job()));
  const auto weights = read_file(run.file("model.safetensors"));
  fs::remove_all(run.folder());
  train_and_stop(job());
  edit_settings(without(run.settings(), "beta2"));
  edit_tensors("checkpoint.safetensors", "beta2");
  EXPECT_EQ(run.settings().find("beta2"), std::string::npos);
  EXPECT_TRUE(train(job())) << events.all;
  EXPECT_EQ(read_file(run.file("model.safetensors")), weights);

  // The same for a trained model and an evaluation.
  evaluate_run(run, {}, context);
  edit_settings(without(run.settings(), "epsilon"));
  edit_tensors("model.safetensors", "epsilon");
  auto record = run.eval_record();
  record.settings = without(without(record.settings, "decoded"), "epsilon");
  run.write(record);
  EXPECT_TRUE(train(job()));
  EXPECT_TRUE(events.has("already trained"));
  EXPECT_EQ(evaluate_run(run, {}, context).status, EvalOutcome::Status::already_evaluated);
  EXPECT_EQ(evaluate_run(run, {{"eval.decoded=1"}}, context).status, EvalOutcome::Status::evaluated);
}

TEST_F(RunLayer, ARunOfAnotherValueIsRefused) {
  train_and_stop(job());
  const std::string message = ": this run began with other settings ([train] ";
  EXPECT_EQ(refusal(job({"train.steps=13"})),
            run.folder().string() + message + "steps = 12, now steps = 13); choose another --out or remove the run");
  EXPECT_EQ(refusal(job({"eval.answers=7"})), "");
  EXPECT_NE(
      refusal(job({"positions.use=sequential"})).find("([positions] use = \"random_float\", now use = \"sequential\""),
      std::string::npos);
  // A missing key has its default value, which is not the value of this run.
  const auto written = run.settings();
  edit_settings(without(written, "learning_rate"));
  EXPECT_NE(refusal(job()).find("learning_rate = 3e-05, now learning_rate = 0.01)"), std::string::npos)
      << refusal(job());
  edit_settings(written);
  EXPECT_EQ(refusal(job()), "");
  edit_settings(std::regex_replace(written, std::regex("steps = 12"), "steps = 13"));
  EXPECT_NE(refusal(job()).find("steps = 13, now steps = 12"), std::string::npos);
}

TEST_F(RunLayer, SettingsOfAnotherVersionAreNamed) {
  train_and_stop(job());
  edit_settings(std::regex_replace(run.settings(), std::regex("beta1 ="), "beta3 = 0.5\nbeta1 ="));
  const auto text = refusal(job());
  EXPECT_NE(text.find("settings.toml:"), std::string::npos) << text;
  EXPECT_NE(text.find("unknown key 'train.beta3'"), std::string::npos) << text;
  EXPECT_NE(text.find("another version of rfs"), std::string::npos) << text;
}

TEST(LongScoring, RefusesARequestForNothing) {
  const auto refused = [](const LongRequest& request) -> std::string {
    try {
      LongScoring scoring(request);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refused({{"passkey"}, {}}), "--lengths: must have at least one length, got none");
  EXPECT_EQ(refused({{"passkey"}, {1024}, 0}), "--samples: must be at least 1, got 0");
  EXPECT_EQ(refused({{"passkey"}, {1024}}), "");
}

TEST(StoredSettings, OfTheResultsAreStillRead) {
  const fs::path results = fs::path(RFS_SOURCE) / "results";
  size_t runs = 0;
  for (const rfs::Run& run : find_runs(results)) {
    const auto settings = stored_run_settings(run.settings(), run.file("settings.toml").string());
    EXPECT_TRUE(has_settings(run.settings(), settings));
    for (const auto& name : run.evaluations()) {
      const auto tested = stored_run_settings(run.eval_record(name).settings, run.eval_file(name).string());
      const auto different = first_difference(settings, tested, /*trained_part=*/true);
      if (!different) continue;
      const std::string key = different->table + "." + different->first.substr(0, different->first.find(' '));
      EXPECT_TRUE(changes_inference(key) || different->table == "task")
          << run.eval_file(name) << ": " << key << ": " << different->first << ", " << different->second;
    }
    ++runs;
  }
  EXPECT_GT(runs, 50u);
}

// train.micro_batch was called train.rows_at_once.
TEST(StoredSettings, KeepTheirOldNames) {
  EXPECT_EQ(*stored_run_settings("[train]\nrows_at_once = 3\n", "old").train.micro_batch, 3);
  EXPECT_TRUE(has_settings("[train]\nrows_at_once = 3\n",
                           RunSettings::read(Settings::from_text("[train]\nmicro_batch = 3\n", "new"))));
}

// Layer kinds survive writing and reading. If only one of two runs has them, that is a difference.
TEST(StoredSettings, KeepLayerKinds) {
  const std::string text =
      "[layers]\npattern = 'LLG'\n[layers.L]\nwindow = 4\npositions.use = 'sequential'\n[layers.G]\nattention.use = "
      "'ssmax'\n";
  const auto settings = RunSettings::read(Settings::from_text(text, "test"));
  const auto again = RunSettings::read(Settings::from_text(settings.toml(), "again"));
  EXPECT_EQ(again.toml(), settings.toml());
  EXPECT_FALSE(first_difference(settings, again));
  const auto plain = RunSettings::read(Settings::from_text("[model]\n", "plain"));
  ASSERT_TRUE(first_difference(settings, plain));
  EXPECT_EQ(first_difference(settings, plain)->table, "layers");
  const auto spec = settings.spec(10, 20);
  EXPECT_EQ(spec.kind_of_layer, (std::vector<size_t>{0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1}));
  EXPECT_EQ(settings.tracks().size(), 2u);
  EXPECT_EQ(spec.kinds[1].track, 1u);
}

}  // namespace
}  // namespace rfs
