// The engine against the decoder: losses, gradients, most likely tokens.

#include "rfs/engine/engine.h"

#include <gtest/gtest.h>

#include "rfs/core/random.h"
#include "rfs/engine/step_memory.h"

namespace rfs {
namespace {

using torch::Tensor;

struct Kind {
  std::string encoding, preset;
  int64_t head_width;
};

Decoder decoder_of(const Kind& kind, torch::Dtype dtype) {
  const auto settings =
      Settings::from_text("[encoding]\nuse = '" + kind.encoding + "'\n[model]\npreset = '" + kind.preset +
                              "'\nlayers = 2\nwidth = 264\nheads = 3\nhead_width = " + std::to_string(kind.head_width) +
                              "\nfeed_width = 520\ninitialisation = 't5'\ndropout = 0.1\n",
                          "test");
  Decoder decoder(DecoderOptions::read(settings.find("model")), 101,
                  Choice<PositionEncoding>::read(settings.find("encoding"), "rope").make(), dtype);
  decoder.initialise(3);
  return decoder;
}

/// Rows of the given sizes. Tests use less than one tile of 64 tokens, exactly one, and several. The targets are the
/// second half of each row, or all tokens but the first.
Batch batch_of(std::vector<int64_t> sizes, bool all = false) {
  Stream stream(5, "test");
  std::vector<std::vector<int32_t>> sequences;
  std::vector<Row> rows;
  std::vector<float> positions;
  for (const int64_t size : sizes) {
    std::vector<int32_t> sequence;
    double position = 0;
    for (int64_t i = 0; i < size; ++i) {
      sequence.push_back(static_cast<int32_t>(stream.below(101)));
      if (i + 1 < size) positions.push_back(static_cast<float>(position += 3 * stream.exponential()));
    }
    sequences.push_back(sequence);
  }
  for (const auto& sequence : sequences) {
    rows.push_back(sequence_row(sequence, all ? 1 : std::max<int64_t>(1, static_cast<int64_t>(sequence.size()) / 2)));
  }
  return pack(rows, positions);
}

Dropout dropout_of(const Batch& batch) {
  Dropout dropout{0.1, 77, {}};
  for (int64_t row = 0; row < batch.rows(); ++row) dropout.samples.push_back(static_cast<uint64_t>(1000 + row));
  return dropout;
}

double distance(const Tensor& a, const Tensor& b) {
  const Tensor x = a.to(torch::kFloat64).flatten(), y = b.to(torch::kFloat64).flatten();
  return ((x - y).norm() / (y.norm() + 1e-12)).item<double>();
}

struct EngineTest : testing::TestWithParam<Kind> {
  void SetUp() override {
    if (const auto refusal = engine_refusal(decoder_of(GetParam(), torch::kFloat32).spec()); !refusal.empty()) {
      GTEST_SKIP() << "NOT TESTED: " << refusal;
    }
  }

  static bool relu() { return GetParam().preset == "t5-base"; }

  /// Compares the loss and the gradient of each parameter with the reference in double precision.
  void expect_gradients(DType dtype, const std::vector<int64_t>& sizes, double loss_tolerance,
                        double gradient_tolerance, double rate = 0.1) {
    expect_gradients(dtype, batch_of(sizes), loss_tolerance, gradient_tolerance, rate);
  }
  void expect_gradients(DType dtype, const Batch& batch, double loss_tolerance, double gradient_tolerance,
                        double rate) {
    Decoder single = decoder_of(GetParam(), torch::kFloat32), exact = decoder_of(GetParam(), torch::kFloat64);
    exact.backend = Backend::reference;
    {
      const torch::NoGradGuard no_gradient;
      exact.parameters().flat().copy_(single.parameters().flat());
    }
    const Dropout dropout = rate > 0 ? dropout_of(batch) : Dropout();
    const Tensor loss = exact.loss(batch, dropout);
    loss.backward();
    const auto ours = Engine(single, dtype).gradient(batch, dropout);
    EXPECT_NEAR(ours.loss, loss.item<double>(), loss_tolerance * loss.item<double>());
    for (const auto& [name, tensor] : single.parameters().items()) {
      const Tensor mine = ours.flat.narrow(0, tensor.storage_offset(), tensor.numel());
      const Tensor truth = exact.parameters()[name].grad();
      EXPECT_LT(distance(mine, truth), gradient_tolerance) << name;
    }
  }
};

TEST_P(EngineTest, GradientsInFloat32) {
  // A hidden unit close to 0 can be on different sides of ReLU in float32 and double, which changes a gradient by about
  // 1e-3.
  expect_gradients(DType::fp32, {12, 2, 40, 64, 65, 150}, 1e-5, relu() ? 4e-3 : 2e-5);
}

TEST_P(EngineTest, GradientsInBfloat16) {
  const double tolerance = relu() ? 8e-2 : 4e-2;
  expect_gradients(DType::bf16, {12, 2, 40, 64, 65}, 1e-2, tolerance);
  expect_gradients(DType::bf16, {66, 130, 200, 17, 193}, 1e-2, tolerance);
  if (GetParam().encoding == "alibi") return;
  expect_gradients(DType::bf16, {700, 30, 513}, 1e-2, tolerance, 0);
  expect_gradients(DType::bf16, {600, 600}, 1e-2, tolerance, 0);
}

TEST_P(EngineTest, GradientsOfMoreTargetsThanItsLogitsHaveRows) {
  if (GetParam().encoding != "rope") GTEST_SKIP() << "the head is the same for all encodings";
  const Batch batch = batch_of(std::vector<int64_t>(2 * head_rows / 120, 66), true);
  ASSERT_GT(batch.labels_M.size(0), head_rows);
  expect_gradients(DType::fp32, batch, 1e-5, relu() ? 4e-3 : 2e-5, 0);
  expect_gradients(DType::bf16, batch, 1e-2, relu() ? 8e-2 : 4e-2, 0);
}

TEST_P(EngineTest, GradientsAreTheSameBitsEachTime) {
  const Decoder decoder = decoder_of(GetParam(), torch::kFloat32);
  const Batch batch = batch_of({12, 30, 40, 64, 130});
  const Engine engine(decoder, DType::bf16);
  const auto once = engine.gradient(batch, dropout_of(batch)), again = engine.gradient(batch, dropout_of(batch));
  EXPECT_EQ(once.loss, again.loss);
  EXPECT_TRUE(torch::equal(once.flat, again.flat));
}

TEST_P(EngineTest, LikeliestTokens) {
  const Decoder decoder = decoder_of(GetParam(), torch::kFloat32);
  const Batch batch = batch_of({12, 2, 40, 64, 65, 150});
  EXPECT_TRUE(torch::equal(Engine(decoder, DType::fp32).best(batch), decoder.best(batch)));
  const auto agree = Engine(decoder, DType::bf16).best(batch).eq(decoder.best(batch)).to(torch::kFloat64);
  EXPECT_GT(agree.mean().item<double>(), 0.9);
}

TEST_P(EngineTest, LossesOfLabels) {
  const Decoder decoder = decoder_of(GetParam(), torch::kFloat32);
  const Batch batch = batch_of({12, 2, 40, 64, 65, 150});
  EXPECT_LT(distance(Engine(decoder, DType::fp32).losses(batch), decoder.losses(batch)), 1e-5);
  EXPECT_LT(distance(Engine(decoder, DType::bf16).losses(batch), decoder.losses(batch)), 2e-2);
}

/// Encodings and attention rules that the engine does not know.
struct StrangeBias : PositionEncoding {
  bool has_bias() const override { return true; }
};
struct StrangeParameters : PositionEncoding {
  std::vector<LearnedTensor> learned(const ModelShape&) const override {
    return {{"strange", {1}, [](Stream&) { return 0.0; }}};
  }
};
struct StrangeScale : AttentionRule {
  bool scales_queries() const override { return true; }
};
struct StrangeTerms : AttentionRule {
  bool scales_queries() const override { return true; }
  std::vector<double> scale_terms(int64_t) const override { return {1, 2, 3}; }
};

TEST(EngineRefusal, KnowsWhatItHasNeverSeen) {
  const auto known = Choice<PositionEncoding>::read(nullptr, "rope").make();
  const auto refusal = [&](const auto& change) {
    auto spec = ModelSpec::uniform(DecoderOptions::read(nullptr), 100, std::make_shared<const StrangeBias>());
    spec.kinds.front().encoding = std::shared_ptr<const PositionEncoding>(known.get(), [](const auto*) {});
    change(spec);
    return model_refusal(spec);
  };
  EXPECT_EQ(refusal([](ModelSpec&) {}), "");
  EXPECT_NE(refusal([](ModelSpec& s) { s.kinds[0].encoding = std::make_shared<const StrangeBias>(); }), "");
  EXPECT_NE(refusal([](ModelSpec& s) { s.kinds[0].encoding = std::make_shared<const StrangeParameters>(); }), "");
  EXPECT_NE(refusal([](ModelSpec& s) { s.kinds[0].attention = std::make_shared<const StrangeScale>(); }), "");
  EXPECT_NE(refusal([](ModelSpec& s) { s.kinds[0].attention = std::make_shared<const StrangeTerms>(); }), "");
  EXPECT_NE(refusal([](ModelSpec& s) { s.options.activation = static_cast<FeedForward>(99); }), "");
  EXPECT_NE(refusal([](ModelSpec& s) { s.options.activation = FeedForward::gelu_erf; }), "");
  EXPECT_NE(refusal([](ModelSpec& s) { s.options.parallel = true; }), "");
  EXPECT_NE(refusal([](ModelSpec& s) { s.options.qkv_bias = true; }), "");
  EXPECT_NE(refusal([](ModelSpec& s) { s.options.norm = static_cast<Norm>(99); }), "");
  EXPECT_NE(refusal([](ModelSpec& s) { s.options.width = 12; }), "");
}

INSTANTIATE_TEST_SUITE_P(All, EngineTest,
                         testing::Values(Kind{"rope", "t5-base", 64}, Kind{"rope", "gpt2", 64},
                                         Kind{"sinusoidal", "t5-base", 64}, Kind{"sinusoidal", "gpt2", 32},
                                         Kind{"alibi", "t5-base", 64}, Kind{"alibi", "gpt2", 64},
                                         Kind{"none", "t5-base", 96}, Kind{"none", "gpt2", 64}),
                         [](const auto& each) {
                           return each.param.encoding + "_" + (each.param.preset == "gpt2" ? "gpt2" : "t5") + "_" +
                                  std::to_string(each.param.head_width);
                         });

}  // namespace
}  // namespace rfs
