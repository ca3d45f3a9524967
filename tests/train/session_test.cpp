#include <atomic>
#include <map>
#include <numeric>
#include <thread>

#include "../dead_process.h"
#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/model/store.h"
#include "small.h"

namespace rfs {
namespace {

namespace fs = std::filesystem;

/// The error message of training that must fail.
std::string failure(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// A trainer that reports given losses, advances several updates per call, and records in which thread its snapshots
/// are taken.
class Scripted : public Trainer {
 public:
  Scripted(Trainer& trainer, std::vector<double> losses) : trainer_(trainer), losses_(std::move(losses)) {}

  int64_t updates() const override { return trainer_.updates(); }
  std::vector<Step> advance(int64_t count) override {
    asked.push_back(count);
    auto steps = trainer_.advance(count);
    for (size_t i = 0; i < steps.size(); ++i) steps[i].loss = losses_[static_cast<size_t>(updates() - count) + i];
    return steps;
  }
  int64_t poll_interval() const override { return 4; }
  std::function<TensorFile()> snapshot() override {
    return [this, inner = trainer_.snapshot(), caller = std::this_thread::get_id()] {
      elsewhere += std::this_thread::get_id() == caller ? 0 : 1;
      before_writing();
      return inner();
    };
  }
  void restore(const TensorFile& state, const std::string& where) override { trainer_.restore(state, where); }
  const Predictor& predictor() override { return trainer_.predictor(); }
  std::string device_text() const override { return trainer_.device_text(); }
  Memory memory() const override { return trainer_.memory(); }

  std::vector<int64_t> asked;
  std::atomic<int> elsewhere = 0;
  std::function<void()> before_writing = [] {};  ///< called by the writing thread, after earlier files are complete

 private:
  Trainer& trainer_;
  std::vector<double> losses_;
};

TEST_F(Training, AStoppedRunEndsWithTheSameBits) {
  const rfs::Run run(folder);
  Small whole;
  const auto record = whole.train(run);
  ASSERT_TRUE(record);
  EXPECT_EQ(record->steps, 30);
  const auto metrics = run.metrics();
  EXPECT_EQ(metrics.size(), 6u);
  fs::remove(run.file("checkpoint.safetensors"));
  fs::remove(run.file("metrics.jsonl"));

  // Stopped after 4 updates, four times. Each round starts with new objects, as a new process would.
  for (int parts = 0; parts < 4; ++parts) {
    Small part;
    TrainHooks hooks;
    int left = 4;
    hooks.stop = [&] { return --left == 0; };
    EXPECT_FALSE(part.train(run, hooks));
    EXPECT_EQ(part.trainer->updates(), 4 * (parts + 1));
  }
  Small last;
  const auto resumed = last.train(run);
  ASSERT_TRUE(resumed);
  EXPECT_TRUE(torch::equal(whole.weights(), last.weights()));
  EXPECT_EQ(resumed->tokens, record->tokens);
  EXPECT_EQ(resumed->loss, record->loss);
  const auto again = run.metrics();
  ASSERT_EQ(again.size(), metrics.size());
  for (size_t i = 0; i < metrics.size(); ++i) {
    EXPECT_EQ(again[i].step, metrics[i].step);
    EXPECT_DOUBLE_EQ(again[i].loss, metrics[i].loss);
    EXPECT_EQ(again[i].learning_rate, metrics[i].learning_rate);
    EXPECT_EQ(again[i].gradient_norm, metrics[i].gradient_norm);
  }
}

TEST_F(Training, RefusesACheckpointOfAnotherRun) {
  const rfs::Run run(folder);
  Small setup;
  TensorFile foreign;
  foreign.tensors.emplace_back("x", torch::zeros({3}));
  write_tensors(run.file("checkpoint.safetensors"), foreign);
  EXPECT_THROW(setup.train(run), Error);
  TrainHooks hooks;
  hooks.stop = [] { return true; };
  fs::remove(run.file("checkpoint.safetensors"));
  EXPECT_FALSE(setup.train(run, hooks));
  write_file(folder / "settings.toml", "[train]\nseed = 2\n");  // the same checkpoint in a run with other settings
  EXPECT_THROW(setup.train(run), Error);
  write_file(run.file("checkpoint.safetensors"), "short");
  EXPECT_THROW(setup.train(run), Error);
}

TEST_F(Training, KeepsTheBestModelTheLaterOfEquals) {
  const std::map<int64_t, double> accuracies = {{6, 0.2}, {12, 0.5}, {18, 0.5}, {24, 0.1}, {30, 0.4}};
  const auto hooks = [&](Small& setup, std::map<int64_t, torch::Tensor>& seen) {
    TrainHooks all;
    all.validate = [&](const Predictor& predictor) {
      EXPECT_EQ(&predictor, setup.decoder.get());
      const int64_t step = setup.trainer->updates();
      seen[step] = setup.weights().clone();
      return accuracies.at(step);
    };
    return all;
  };
  const rfs::Run run(folder);
  std::map<int64_t, torch::Tensor> seen;
  for (const auto kept : {KeptWeights::last, KeptWeights::best}) {
    const bool best = kept == KeptWeights::best;
    fs::remove(run.file("metrics.jsonl"));
    Small setup;
    setup.options.validate_every = 6;
    setup.options.checkpoint = kept;
    const auto record = setup.train(run, hooks(setup, seen));
    ASSERT_TRUE(record);
    EXPECT_EQ(record->model_step, best ? 18 : 30);
    EXPECT_EQ(record->best_step, 18);
    EXPECT_EQ(*record->best_validation, 0.5);
    EXPECT_TRUE(torch::equal(setup.weights(), seen.at(record->model_step)));
    EXPECT_TRUE(torch::equal(flat_weights(setup.decoder->parameters(), read_tensors(run.file("model.safetensors")), ""),
                             seen.at(record->model_step)));
    EXPECT_EQ(fs::exists(run.file("best.safetensors")), best);
    fs::remove(run.file("checkpoint.safetensors"));
  }
  for (const Metric& metric : run.metrics()) {
    EXPECT_EQ(metric.validation.has_value(), accuracies.contains(metric.step)) << metric.step;
  }
  EXPECT_EQ(run.metrics().size(), 10u) << "every 5 steps, and where validated";

  // A run that was stopped after its best step still knows it. It cannot resume without the file of the best weights.
  fs::remove(run.file("best.safetensors"));
  for (const int64_t left : {20, 30}) {
    Small setup;
    setup.options.validate_every = 6;
    setup.options.checkpoint = KeptWeights::best;
    auto all = hooks(setup, seen);
    all.stop = [&] { return setup.trainer->updates() == left; };
    const auto record = setup.train(run, all);
    EXPECT_EQ(record.has_value(), left == 30);
    EXPECT_EQ(record ? record->model_step : 18, 18);
  }
  fs::remove(run.file("best.safetensors"));
  Small setup;
  setup.options.validate_every = 6;
  setup.options.checkpoint = KeptWeights::best;
  EXPECT_NE(failure([&] { setup.train(run, hooks(setup, seen)); }).find("best.safetensors"), std::string::npos);
  EXPECT_NE(failure([&] { setup.train(run); }).find("best needs validation, but nothing is validated"),
            std::string::npos);
  EXPECT_THROW(TrainOptions::read(
                   Settings::from_text("[train]\ncheckpoint = 'best'\nvalidate_every = 0\n", "test").find("train")),
               Error);
}

TEST_F(Training, WritesInTheBackgroundAndHeedsTheStride) {
  const rfs::Run run(folder);
  Small setup;
  Scripted scripted(*setup.trainer, std::vector<double>(30, 1.0));
  ASSERT_TRUE(train(run, *setup.decoder, scripted, setup.options, 11, {}));
  // Metrics are due at 5, 10, ... and checkpoints at 7, 14, ...: the session never asks for updates beyond the next one
  // of them, and never for more than four.
  EXPECT_EQ(std::accumulate(scripted.asked.begin(), scripted.asked.end(), int64_t{0}), 30);
  EXPECT_EQ(std::vector(scripted.asked.begin(), scripted.asked.begin() + 4), (std::vector<int64_t>{4, 1, 2, 3}));
  EXPECT_EQ(run.metrics().size(), 6u);
  EXPECT_EQ(scripted.elsewhere, 4) << "checkpoints of steps 7, 14, 21 and 28";
}

TEST_F(Training, AFailedWriteStopsTheRunAndLeavesTheOldCheckpoint) {
  const rfs::Run run(folder);
  Small setup;
  Scripted scripted(*setup.trainer, std::vector<double>(30, 1.0));
  scripted.before_writing = [&] {
    // A folder in place of the temporary file of step 14 makes the write fail, even for root.
    if (scripted.elsewhere == 2) fs::create_directories(temporary_path(run.file("checkpoint.safetensors")));
  };
  const auto said = failure([&] { train(run, *setup.decoder, scripted, setup.options, 11, {}); });
  EXPECT_NE(said.find("checkpoint.safetensors: cannot write this file: Is a directory; the last good checkpoint is of "
                      "step 7"),
            std::string::npos)
      << said;
  EXPECT_EQ(read_tensors(run.file("checkpoint.safetensors")).find("optimizer.updates")->item<int64_t>(), 7);

  // The next start removes files of a killed process, keeps other files, and resumes.
  fs::remove(temporary_path(run.file("checkpoint.safetensors")));
  const auto left = temporary_path_of_the_dead(run.file("checkpoint.safetensors"));
  write_file(left, "half");
  for (const char* name : {"video.part", "video.123.part"}) write_file(folder / name, "");
  Small again, whole;
  ASSERT_TRUE(again.train(run));
  EXPECT_FALSE(fs::exists(left));
  for (const char* name : {"video.part", "video.123.part"}) EXPECT_TRUE(fs::exists(folder / name)) << name;
  whole.trainer->advance(30);
  EXPECT_TRUE(torch::equal(again.weights(), whole.weights()));
}

TEST_F(Training, NamesTheLastGoodCheckpointWhereTheLossIsLost) {
  const rfs::Run run(folder);
  Small setup;
  TrainHooks hooks;
  hooks.progress = [&](const Progress& progress) {
    const torch::NoGradGuard guard;
    if (progress.step == 9) setup.weights().fill_(std::numeric_limits<float>::quiet_NaN());
  };
  auto said = failure([&] { setup.train(run, hooks); });
  EXPECT_NE(said.find("at step 10"), std::string::npos) << said;
  EXPECT_NE(said.find("; the last good checkpoint is of step 7"), std::string::npos) << said;

  fs::remove(run.file("checkpoint.safetensors"));
  Small other;
  std::vector<double> losses(30, 1.0);
  std::fill(losses.begin() + 5, losses.end(), 20.5);
  Scripted scripted(*other.trainer, losses);
  other.options.checkpoint_every = 100;
  said = failure([&] { train(run, *other.decoder, scripted, other.options, 11, {}); });
  EXPECT_NE(said.find("the loss jumped from its lowest, 1, to 20.5 at step 10"), std::string::npos) << said;
  EXPECT_NE(said.find("; there is no good checkpoint yet"), std::string::npos) << said;
}

}  // namespace
}  // namespace rfs
