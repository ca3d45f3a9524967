// Training in the fused tier against the reference and itself.

#include "copies.h"
#include "rfs/core/error.h"
#include "rfs/train/torch_trainer.h"

namespace rfs {
namespace {

TEST_F(GpuTrainer, TheFusedTierFollowsTheReference) {
  struct Case {
    std::string positions, encoding, rule;
    int64_t micro_batch;
  };
  for (const Case& c : {Case{"random_float", "rope", "adamw", 1 << 20}, Case{"pose", "kerple", "adamw", 1 << 20},
                        Case{"random_float", "rope", "muon", 1 << 20}, Case{"random_float", "alibi", "adamw", 7}}) {
    Copies copies("[positions]\nuse = '" + c.positions + "'\n", 0.1, "preset = 't5-base'\n", c.encoding);
    copies.options.micro_batch = c.micro_batch;
    const auto fused = copies.fused(DType::fp32, c.rule);
    const auto ours = fused.trainer->advance(20);
    TorchTrainer reference(*copies.decoder, *copies.indexing, copies.examples, copies.examples.longest(),
                           copies.options, Ranks::alone(), Choice<OptimizerRule>::read(nullptr, c.rule).make());
    const auto theirs = reference.advance(20);
    for (size_t i = 0; i < 20; ++i) {
      EXPECT_EQ(ours[i].tokens, theirs[i].tokens);
      EXPECT_NEAR(ours[i].loss, theirs[i].loss, 2e-3 * theirs[i].loss) << c.encoding << c.rule << i;
      EXPECT_NEAR(ours[i].learning_rate, theirs[i].learning_rate, 1e-6 * theirs[i].learning_rate);
      if (i < 3) {
        EXPECT_NEAR(ours[i].gradient_norm, theirs[i].gradient_norm, 1e-3 * theirs[i].gradient_norm);
      }
    }
    EXPECT_EQ(fused.trainer->updates(), 20);
  }
}

void expect_equal(const Decoder& a, const Decoder& b, const std::string& what) {
  for (const auto& [name, tensor] : a.parameters().items()) {
    const torch::Tensor other = b.parameters()[name];
    EXPECT_TRUE(torch::equal(tensor, other)) << what << ", " << name << ", " << (tensor - other).abs().max();
  }
}

TEST_F(GpuTrainer, TheFusedTierGivesTheSameBitsForEveryKindOfBias) {
  for (const char* way : {"t5_bias", "kerple", "fire"}) {
    const Copies copies("[positions]\nuse = 'random_float'\n", 0.1, "preset = 't5-base'\n", way);
    const auto once = copies.fused(DType::bf16), again = copies.fused(DType::bf16);
    once.trainer->advance(5);
    again.trainer->advance(5);
    expect_equal(*once.decoder, *again.decoder, way);
  }
}

TEST_F(GpuTrainer, TheFusedTierGivesTheSameBitsAgainAndAfterARestart) {
  const Copies copies;
  for (const std::string rule : {"adamw", "muon"}) {
    const auto once = copies.fused(DType::bf16, rule), again = copies.fused(DType::bf16, rule);
    const auto later = copies.fused(DType::bf16, rule);
    once.trainer->advance(40);
    again.trainer->advance(15);
    const auto frozen = again.trainer->snapshot();
    again.trainer->advance(25);
    later.trainer->restore(frozen(), "test");
    EXPECT_EQ(later.trainer->updates(), 15);
    later.trainer->advance(25);
    const auto a = once.trainer->snapshot()().tensors, b = again.trainer->snapshot()().tensors;
    const auto c = later.trainer->snapshot()().tensors;
    for (size_t i = 0; i < a.size(); ++i) {
      EXPECT_TRUE(torch::equal(a[i].second, b[i].second)) << rule << ", " << a[i].first;
      EXPECT_TRUE(torch::equal(a[i].second, c[i].second)) << rule << ", " << a[i].first;
    }
  }
}

TEST_F(GpuTrainer, TheFusedTierTrainsAdaptersAsTheReferenceDoes) {
  const Copies copies("[positions]\nuse = 'random_float'\n", 0);
  const auto ours = copies.fused(DType::fp32, "adamw", 4);
  const auto steps = ours.trainer->advance(20);
  const auto adapters = std::make_shared<Adapters>(*copies.decoder, 4, 16.0, 1);
  TorchTrainer reference(*copies.decoder, *copies.indexing, copies.examples, copies.examples.longest(), copies.options,
                         Ranks::alone(), OptimizerRule::adamw(), adapters);
  const auto theirs = reference.advance(20);
  for (size_t i = 0; i < 20; ++i) {
    EXPECT_NEAR(steps[i].loss, theirs[i].loss, 2e-3 * theirs[i].loss) << i;
    if (i < 3) {
      EXPECT_NEAR(steps[i].gradient_norm, theirs[i].gradient_norm, 1e-3 * theirs[i].gradient_norm) << i;
    }
  }
  EXPECT_EQ(ours.trainer->snapshot()().tensors.size(), reference.snapshot()().tensors.size());

  const auto once = copies.fused(DType::bf16, "adamw", 4), again = copies.fused(DType::bf16, "adamw", 4);
  const auto later = copies.fused(DType::bf16, "adamw", 4);
  once.trainer->advance(20);
  again.trainer->advance(8);
  later.trainer->restore(again.trainer->snapshot()(), "test");
  later.trainer->advance(12);
  EXPECT_TRUE(torch::equal(once.decoder->parameters().flat(), later.decoder->parameters().flat()));
}

TEST_F(GpuTrainer, TheFusedTierRecomputesToTheSameBits) {
  for (const char* way : {"rope", "t5_bias", "kerple"}) {
    const Copies copies("[positions]\nuse = 'random_float'\n", 0.1, "preset = 't5-base'\n", way);
    const auto kept = copies.fused(DType::bf16), again = copies.fused(DType::bf16);
    again.decoder->recompute = true;
    const auto first = kept.trainer->advance(5), second = again.trainer->advance(5);
    for (size_t i = 0; i < first.size(); ++i) EXPECT_EQ(first[i].loss, second[i].loss) << way;
    expect_equal(*kept.decoder, *again.decoder, way);
  }
  Copies copies;
  copies.options.recompute = true;
  const TrainSetup setup = train_setup(copies.decoder->spec(), copies.options);
  EXPECT_EQ(setup.tier, Tier::fused);
  EXPECT_EQ(setup.note, "train.recompute is on");
  copies.options.tier = Tier::engine;
  EXPECT_THROW(train_setup(copies.decoder->spec(), copies.options), Error);
}

}  // namespace
}  // namespace rfs
