#include <torch/cuda.h>

#include <set>

#include "rfs/core/error.h"
#include "rfs/train/make_trainer.h"
#include "rfs/train/schedule.h"
#include "small.h"

namespace rfs {
namespace {

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

TEST_F(Training, SameSeedSameBitsAndTheLossFalls) {
  Small a, b, c(2);
  std::vector<double> losses;
  for (int i = 0; i < 30; ++i) {
    losses.push_back(a.trainer->advance(1).front().loss);
    c.trainer->advance(1);
  }
  EXPECT_EQ(b.trainer->advance(30).size(), 30u);
  EXPECT_TRUE(torch::equal(a.weights(), b.weights()));
  EXPECT_FALSE(torch::equal(a.weights(), c.weights()));
  EXPECT_LT(losses.back(), 0.8 * losses.front());
}

TEST_F(Training, SaysWhereTheLossLeftTheNumbers) {
  Small setup;
  {
    const torch::NoGradGuard guard;
    setup.weights().fill_(std::numeric_limits<float>::quiet_NaN());
  }
  try {
    setup.trainer->advance(1);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("at step 1"), std::string::npos);
  }
}

TEST_F(Training, ASampleDrawsTheSameWhateverItsNeighbours) {
  Small setup;
  const Batch batch = setup.trainer->batch(24, 8);
  const Batch half = setup.trainer->batch(24, 4);
  const auto all = setup.trainer->dropout(24, 8).samples, part = setup.trainer->dropout(24, 4).samples;
  EXPECT_TRUE(std::equal(part.begin(), part.end(), all.begin()));
  EXPECT_TRUE(torch::equal(half.tokens_N, batch.tokens_N.narrow(0, 0, half.tokens())));
  EXPECT_TRUE(torch::equal(half.positions[0], batch.positions[0].narrow(0, 0, half.tokens())));
}

TEST_F(Training, ABatchInPartsIsTheSameStep) {
  Small whole, parts;
  TrainOptions options = parts.options;
  options.micro_batch = 3;  // the batch is 8
  TorchTrainer trainer(*parts.decoder, *parts.indexing, parts.examples, parts.examples.longest(), options);
  for (int64_t i = 0; i < 3; ++i) {
    const auto one = whole.trainer->advance(1).front(), other = trainer.advance(1).front();
    EXPECT_NEAR(one.loss, other.loss, 1e-5 * one.loss);
    EXPECT_NEAR(one.gradient_norm, other.gradient_norm, 1e-4 * one.gradient_norm);
    EXPECT_EQ(one.tokens, other.tokens);
    EXPECT_EQ(one.targets, other.targets);
  }
}

TEST_F(Training, RecomputationGivesTheSameBits) {
  Small kept, again;
  TrainOptions options = again.options;
  options.recompute = true;
  options.micro_batch = 3;
  kept.options.micro_batch = 3;
  const auto trainer = [](Small& of, const TrainOptions& with) {
    return make_trainer(train_setup(of.decoder->spec(), with), *of.decoder, *of.indexing, of.examples,
                        of.examples.longest(), with);
  };
  EXPECT_EQ(trainer(kept, kept.options)->advance(5).back().loss, trainer(again, options)->advance(5).back().loss);
  EXPECT_TRUE(again.decoder->recompute);
  EXPECT_TRUE(torch::equal(kept.weights(), again.weights()));
}

TEST_F(Training, AStateComesBackAsItWas) {
  Small setup;
  setup.trainer->advance(3);
  const auto snapshot = setup.trainer->snapshot();
  const auto then = setup.weights().clone();
  setup.trainer->advance(2);
  Small other(2);
  const TensorFile state = snapshot();
  other.trainer->restore(state, "test");
  EXPECT_EQ(other.trainer->updates(), 3);
  EXPECT_TRUE(torch::equal(other.weights(), then));
  for (const char* name : {"optimizer.first", "optimizer.updates", "embedding.weight"}) {
    TensorFile lacking;
    for (const auto& tensor : state.tensors) {
      if (tensor.first != name) lacking.tensors.push_back(tensor);
    }
    EXPECT_THROW(other.trainer->restore(lacking, "test"), Error) << name;
  }
  EXPECT_TRUE(torch::equal(other.weights(), then)) << "a refused state changes nothing";
}

TEST_F(Training, SaysWhichDevicesThereAre) {
  Small setup;
  const auto make = [&] {
    return make_trainer(train_setup(setup.decoder->spec(), setup.options), *setup.decoder, *setup.indexing,
                        setup.examples, 11, setup.options);
  };
  EXPECT_EQ(make()->updates(), 0);
  setup.options.device = DeviceChoice::cpu;
  setup.options.precision = Precision::bf16;
  EXPECT_THROW(make(), Error);
  setup.options.precision = Precision::fp32;
  setup.options.device = DeviceChoice::cuda;
  if (!torch::cuda::is_available()) {
    EXPECT_THROW(make(), Error);
  }
  const auto memory = setup.trainer->memory();
  EXPECT_GT(memory.needed, 4.0 * 7 * static_cast<double>(setup.decoder->parameters().size()));
  EXPECT_LT(memory.needed, memory.available);
}

}  // namespace
}  // namespace rfs
