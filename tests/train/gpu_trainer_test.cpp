// Training by the engine against the reference: the same batches, positions and dropout give the same losses.

#include <thread>

#include "copies.h"
#include "rfs/core/error.h"
#include "rfs/train/torch_trainer.h"

namespace rfs {
namespace {

TEST_F(GpuTrainer, FollowsTheReference) {
  for (const char* positions :
       {"[positions]\nuse = 'random_float'\n", "[positions]\nuse = 'random_float'\ndraw = 'window'\n",
        "[positions]\nuse = 'random_float'\ndistribution = 'normal'\n",
        "[positions]\nuse = 'random_float'\ndistribution = 'beta'\nrange = 10.0\n",
        "[positions]\nuse = 'random_integer'\n", "[positions]\nuse = 'sequential'\n",
        "[positions]\nuse = 'interpolated'\n", "[positions]\nuse = 'pose'\n"}) {
    const Copies copies(positions);
    const auto ours = copies.gpu(DType::fp32)->advance(40);
    TorchTrainer reference(*copies.decoder, *copies.indexing, copies.examples, copies.examples.longest(),
                           copies.options);
    const auto theirs = reference.advance(40);
    for (size_t i = 0; i < 40; ++i) {
      EXPECT_EQ(ours[i].tokens, theirs[i].tokens) << positions << i;
      EXPECT_EQ(ours[i].targets, theirs[i].targets) << positions << i;
      EXPECT_NEAR(ours[i].loss, theirs[i].loss, 2e-3 * theirs[i].loss) << positions << i;
      EXPECT_NEAR(ours[i].learning_rate, theirs[i].learning_rate, 1e-6 * theirs[i].learning_rate);
      if (i < 3) {
        EXPECT_NEAR(ours[i].gradient_norm, theirs[i].gradient_norm, 1e-3 * theirs[i].gradient_norm);
      }
    }
    EXPECT_NEAR(ours[0].loss, theirs[0].loss, 2e-5 * theirs[0].loss) << positions;
  }
}

TEST_F(GpuTrainer, FollowsTheReferenceWithOtherBlocks) {
  for (const char* block :
       {"preset = 't5-base'\ntied = false\n", "preset = 'gpt2'\n", "preset = 'gpt2'\ntied = false\n"}) {
    const Copies copies("[positions]\nuse = 'random_float'\n", 0.1, block);
    const auto ours = copies.gpu(DType::fp32)->advance(20);
    TorchTrainer reference(*copies.decoder, *copies.indexing, copies.examples, copies.examples.longest(),
                           copies.options);
    const auto theirs = reference.advance(20);
    for (size_t i = 0; i < 20; ++i) {
      EXPECT_NEAR(ours[i].loss, theirs[i].loss, 2e-3 * theirs[i].loss) << block << i;
    }
  }
}

TEST_F(GpuTrainer, ANarrowResidualStreamTrainsNearlyAlike) {
  for (const char* block : {"preset = 't5-base'\n", "preset = 'gpt2'\n"}) {
    Copies copies("[positions]\nuse = 'random_float'\n", 0, block);
    const auto wide = copies.gpu(DType::bf16)->advance(20);
    copies.options.residual = ResidualType::bf16;
    const auto narrow = copies.gpu(DType::bf16)->advance(20);
    for (size_t i = 0; i < 20; ++i) EXPECT_NEAR(narrow[i].loss, wide[i].loss, 0.03 * wide[i].loss) << block << i;
  }
  Copies copies;
  copies.options.residual = ResidualType::bf16;
  copies.options.tier = Tier::fused;
  EXPECT_THROW(train_setup(copies.decoder->spec(), copies.options), Error);
}

TEST_F(GpuTrainer, TheEngineRefusesAdapters) {
  Copies copies;
  copies.options.lora = 4;
  EXPECT_EQ(train_setup(copies.decoder->spec(), copies.options).tier, Tier::fused);
  copies.options.tier = Tier::engine;
  try {
    train_setup(copies.decoder->spec(), copies.options);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "train.tier: engine cannot train this run: train.lora is on; set train.tier=auto");
  }
}

TEST_F(GpuTrainer, FollowsTheReferenceOnWindowsOfAStream) {
  Copies copies;
  copies.examples = copies.windows(50);
  const auto ours = copies.gpu(DType::fp32)->advance(20);
  TorchTrainer reference(*copies.decoder, *copies.indexing, copies.examples, copies.examples.longest(), copies.options);
  const auto theirs = reference.advance(20);
  for (size_t i = 0; i < 20; ++i) {
    EXPECT_EQ(ours[i].tokens, 24 * 50);
    EXPECT_EQ(ours[i].targets, theirs[i].targets);
    EXPECT_NEAR(ours[i].loss, theirs[i].loss, 2e-3 * theirs[i].loss) << i;
  }
}

TEST_F(GpuTrainer, FollowsTheReferenceOnLongRows) {
  for (const auto& [tokens, dtype] : {std::pair{600, DType::bf16}, {600, DType::fp32}, {4050, DType::bf16}}) {
    Copies copies("[positions]\nuse = 'random_float'\n", 0);
    copies.examples = copies.windows(tokens);
    copies.options.batch = 2;
    const auto ours = copies.gpu(dtype)->advance(4);
    TorchTrainer reference(*copies.decoder, *copies.indexing, copies.examples, copies.examples.longest(),
                           copies.options);
    const auto theirs = reference.advance(4);
    for (size_t i = 0; i < 4; ++i) {
      EXPECT_NEAR(ours[i].loss, theirs[i].loss, (dtype == DType::bf16 ? 2e-2 : 2e-3) * theirs[i].loss) << tokens;
      EXPECT_NEAR(ours[i].gradient_norm, theirs[i].gradient_norm, 0.1 * theirs[i].gradient_norm) << tokens;
    }
  }
}

TEST_F(GpuTrainer, SameBitsAgainAndAfterARestart) {
  Copies rows, windows("[positions]\nuse = 'random_float'\n", 0);
  windows.examples = windows.windows(600);
  windows.options.batch = 28;  // more targets than the logits have rows
  const auto weights = [](Trainer& trainer) { return trainer.snapshot()().tensors; };
  for (const auto& [of, dtype] : {std::pair{&rows, DType::bf16}, {&rows, DType::fp32}, {&windows, DType::bf16}}) {
    const Copies& copies = *of;
    const auto once = copies.gpu(dtype), again = copies.gpu(dtype), later = copies.gpu(dtype);
    once->advance(60);
    again->advance(25);
    const auto frozen = again->snapshot();
    again->advance(35);
    later->restore(frozen(), "test");
    EXPECT_EQ(later->updates(), 25);
    later->advance(35);
    const auto a = weights(*once), b = weights(*again), c = weights(*later);
    for (size_t i = 0; i < a.size(); ++i) {
      EXPECT_TRUE(torch::equal(a[i].second, b[i].second)) << a[i].first;
      EXPECT_TRUE(torch::equal(a[i].second, c[i].second)) << a[i].first;
    }
  }
}

TEST_F(GpuTrainer, SideBySideIsBitForBitAsAlone) {
  const Copies copies;
  const auto alone = copies.gpu(DType::bf16);
  alone->advance(60);
  const auto expected = alone->snapshot()().tensors;
  std::vector<std::unique_ptr<Trainer>> trainers;
  for (int i = 0; i < 3; ++i) trainers.push_back(copies.gpu(DType::bf16));
  {
    std::vector<std::jthread> threads;
    for (auto& trainer : trainers) threads.emplace_back([&trainer] { trainer->advance(60); });
  }
  for (auto& trainer : trainers) {
    const auto given = trainer->snapshot()().tensors;
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_TRUE(torch::equal(given[i].second, expected[i].second)) << expected[i].first;
    }
  }
}

TEST_F(GpuTrainer, RestoresAndPredictsBesideOthersThatCaptureTheirSteps) {
  const Copies copies;
  TorchTrainer batches(*copies.decoder, *copies.indexing, copies.examples, copies.examples.longest(), copies.options);
  std::vector<Batch> growing;
  for (int64_t rows = 3; rows <= 24; rows += 3) growing.push_back(batches.batch(0, rows));
  const auto alone = copies.gpu(DType::bf16);
  std::vector<TensorFile> points;  // up to the fifth, batches have sizes without a CUDA graph
  std::vector<torch::Tensor> expected;
  for (const Batch& batch : growing) {
    points.push_back(alone->snapshot()());
    alone->advance(4);
    expected.push_back(alone->predictor().best(batch));
  }
  std::vector<std::unique_ptr<Trainer>> trainers;
  for (int i = 0; i < 3; ++i) trainers.push_back(copies.gpu(DType::bf16));
  std::vector<std::string> said(trainers.size());
  {
    std::vector<std::jthread> threads;
    for (size_t i = 0; i < trainers.size(); ++i) {
      threads.emplace_back([&, i] {
        try {
          for (size_t step = 0; step < points.size(); ++step) {
            const size_t at = (step + 3 * i) % points.size();  // each trainer at another point
            trainers[i]->restore(points[at], "test");
            trainers[i]->advance(4);
            if (!torch::equal(trainers[i]->predictor().best(growing[at]), expected[at])) said[i] = "other answers";
          }
        } catch (const std::exception& error) {
          said[i] = error.what();
        }
      });
    }
  }
  for (const auto& words : said) EXPECT_EQ(words, "");
}

TEST_F(GpuTrainer, LearnsInBfloat16AsInFloat32) {
  const Copies copies;
  const auto mean = [](const std::vector<Trainer::Step>& steps) {
    double sum = 0;
    for (size_t i = steps.size() - 100; i < steps.size(); ++i) sum += steps[i].loss / 100;
    return sum;
  };
  const double low = mean(copies.gpu(DType::bf16)->advance(400)), single = mean(copies.gpu(DType::fp32)->advance(400));
  EXPECT_NEAR(low, single, 0.05 * single);
}

TEST_F(GpuTrainer, PredictsWithTheWeightsOfTheMoment) {
  const Copies copies("[positions]\nuse = 'random_float'\n", 0);
  const auto trainer = copies.gpu(DType::fp32);
  trainer->advance(50);
  TorchTrainer batches(*copies.decoder, *copies.indexing, copies.examples, copies.examples.longest(), copies.options);
  const Batch batch = batches.batch(3 * copies.options.batch, copies.options.batch);
  const Predictor& predictor = trainer->predictor();  // before the snapshot, which would also flush the pending update
  const auto best = predictor.best(batch), losses = predictor.losses(batch);
  Decoder now(copies.model, 30, copies.encoding);
  const auto state = trainer->snapshot()();
  const torch::NoGradGuard no_gradient;
  for (const auto& [name, tensor] : now.parameters().items()) tensor.copy_(*state.find(name));
  EXPECT_GT(best.eq(now.best(batch)).to(torch::kFloat64).mean().item<double>(), 0.99);
  const auto expected = now.losses(batch);
  EXPECT_LT(((losses - expected).norm() / expected.norm()).item<double>(),
            1e-4);  // with the weights before the last update it is 1e-2
}

TEST_F(GpuTrainer, StopsBeforeWeightsThatAreNoNumbers) {
  Copies copies;
  {
    const torch::NoGradGuard no_gradient;
    copies.decoder->parameters().flat().fill_(std::numeric_limits<float>::quiet_NaN());
  }
  EXPECT_THROW(copies.gpu(DType::bf16)->advance(5), AgreedError);
}

}  // namespace
}  // namespace rfs
