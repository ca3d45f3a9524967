#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <set>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/train/schedule.h"
#include "rfs/train/session.h"

namespace rfs {
namespace {

namespace fs = std::filesystem;

TEST(Schedule, WarmsUpAndDecaysLinearly) {
  TrainOptions options;
  options.learning_rate = 1.0;
  options.steps = 110;
  options.warmup = 10;
  EXPECT_DOUBLE_EQ(learning_rate(options, 0), 0.1);
  EXPECT_DOUBLE_EQ(learning_rate(options, 9), 1.0);
  EXPECT_DOUBLE_EQ(learning_rate(options, 10), 1.0);
  EXPECT_DOUBLE_EQ(learning_rate(options, 60), 0.5);
  EXPECT_DOUBLE_EQ(learning_rate(options, 109), 0.01);
  options.warmup = 0;
  EXPECT_DOUBLE_EQ(learning_rate(options, 0), 1.0);
  EXPECT_THROW(TrainOptions::read(Settings::from_text("[train]\nsteps = 100\n", "test").find("train")), Error);
}

TEST(Order, VisitsEveryExampleOnceAPass) {
  Order order(10, 3);
  std::set<int64_t> first, second;
  std::vector<int64_t> a, b;
  for (int64_t t = 0; t < 10; ++t) first.insert(order(t)), a.push_back(order(t));
  for (int64_t t = 10; t < 20; ++t) second.insert(order(t)), b.push_back(order(t));
  EXPECT_EQ(first.size(), 10u);
  EXPECT_EQ(second.size(), 10u);
  EXPECT_NE(a, b);
  EXPECT_EQ(Order(10, 3)(13), b[3]);
  Order single(1, 3);
  EXPECT_EQ(single(5), 0);
}

/// A run small enough to train in a test, with dropout, so that every stream of randomness is in play.
struct Small {
  Settings settings = Settings::from_text(
      "[task]\nwords = 5\ntrain_lengths = [2, 4]\ntest_lengths = [5, 6]\ntrain_samples = 50\nvalidation_samples = 2\n"
      "test_samples = 2\n[model]\npreset = 'tiny'\nlayers = 1\nwidth = 16\nheads = 2\nhead_width = 8\nfeed_width = 16\n"
      "dropout = 0.1\n[train]\nsteps = 30\nbatch = 8\nlearning_rate = 1e-2\nwarmup = 3\nlog_every = "
      "5\ncheckpoint_every = 7\n",
      "test");
  std::unique_ptr<Task> task = Choice<Task>::read(settings.find("task"), "copy").make();
  std::unique_ptr<Tokenizer> tokenizer = Choice<Tokenizer>::read(nullptr, "words").make();
  std::unique_ptr<PositionIndexing> indexing = Choice<PositionIndexing>::read(nullptr, "random_float").make();
  Examples examples;
  TrainOptions options;
  std::unique_ptr<Decoder> decoder;
  std::unique_ptr<Trainer> trainer;

  explicit Small(int64_t seed = 1) {
    tokenizer->learn(task->vocabulary());
    examples = tokenize(task->samples(Split::train, *tokenizer), *tokenizer);
    options = TrainOptions::read(settings.find("train"));
    options.seed = seed;
    decoder = std::make_unique<Decoder>(DecoderOptions::read(settings.find("model")), tokenizer->size(),
                                        Choice<PositionEncoding>::read(nullptr, "rope").make());
    decoder->initialise(static_cast<uint64_t>(seed));
    trainer = std::make_unique<Trainer>(*decoder, *indexing, examples, examples.longest(), options);
  }
  const torch::Tensor& weights() const { return decoder->parameters().flat(); }
};

class Training : public testing::Test {
 protected:
  fs::path folder = fs::temp_directory_path() / ("rfs_train_test_" + std::to_string(getpid()));
  void SetUp() override { write_file(folder / "settings.toml", "[train]\n"); }
  void TearDown() override { fs::remove_all(folder); }
};

TEST_F(Training, SameSeedSameBitsAndTheLossFalls) {
  Small a, b, c(2);
  std::vector<double> losses;
  for (int i = 0; i < 30; ++i) {
    losses.push_back(a.trainer->step().loss);
    b.trainer->step();
    c.trainer->step();
  }
  EXPECT_TRUE(torch::equal(a.weights(), b.weights()));
  EXPECT_FALSE(torch::equal(a.weights(), c.weights()));
  EXPECT_LT(losses.back(), 0.8 * losses.front());
}

TEST_F(Training, AStoppedRunEndsWithTheSameBits) {
  const rfs::Run run(folder);
  Small whole;
  const auto record = train(run, *whole.decoder, *whole.trainer, whole.options, whole.examples.longest(), {});
  ASSERT_TRUE(record);
  EXPECT_EQ(record->steps, 30);
  const auto metrics = run.metrics();
  EXPECT_EQ(metrics.size(), 6u);
  fs::remove(run.file("checkpoint.safetensors"));
  fs::remove(run.file("metrics.jsonl"));

  for (int parts = 0; parts < 4;
       ++parts) {  // stopped after 4 updates, again and again, each time in a new process's place
    Small part;
    TrainHooks hooks;
    int left = 4;
    hooks.stop = [&] { return --left == 0; };
    EXPECT_FALSE(train(run, *part.decoder, *part.trainer, part.options, part.examples.longest(), hooks));
    EXPECT_EQ(part.trainer->updates(), 4 * (parts + 1));
  }
  Small last;
  const auto resumed = train(run, *last.decoder, *last.trainer, last.options, last.examples.longest(), {});
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
  EXPECT_THROW(train(run, *setup.decoder, *setup.trainer, setup.options, 11, {}), Error);
  TrainHooks hooks;
  hooks.stop = [] { return true; };
  fs::remove(run.file("checkpoint.safetensors"));
  EXPECT_FALSE(train(run, *setup.decoder, *setup.trainer, setup.options, 11, hooks));
  write_file(folder / "settings.toml", "[train]\nseed = 2\n");  // the same checkpoint in a run of other settings
  EXPECT_THROW(train(run, *setup.decoder, *setup.trainer, setup.options, 11, {}), Error);
  write_file(run.file("checkpoint.safetensors"), "short");
  EXPECT_THROW(train(run, *setup.decoder, *setup.trainer, setup.options, 11, {}), Error);
}

TEST_F(Training, SaysWhereTheLossLeftTheNumbers) {
  Small setup;
  {
    const torch::NoGradGuard guard;
    setup.weights().fill_(std::numeric_limits<float>::quiet_NaN());
  }
  try {
    setup.trainer->step();
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("at step 1"), std::string::npos);
  }
}

TEST_F(Training, ASampleDrawsTheSameWhateverItsNeighbours) {
  Small setup;
  const Batch batch = setup.trainer->batch(3);
  TrainOptions smaller = setup.options;
  smaller.batch = 4;
  Trainer other(*setup.decoder, *setup.indexing, setup.examples, setup.examples.longest(), smaller);
  const Batch half = other.batch(6);  // the same samples as the first half of batch 3
  const auto all = setup.trainer->dropout(3).samples, part = other.dropout(6).samples;
  EXPECT_TRUE(std::equal(part.begin(), part.end(), all.begin()));
  EXPECT_TRUE(torch::equal(half.tokens_N, batch.tokens_N.narrow(0, 0, half.tokens())));
  EXPECT_TRUE(torch::equal(half.positions_N, batch.positions_N.narrow(0, 0, half.tokens())));
}

}  // namespace
}  // namespace rfs
