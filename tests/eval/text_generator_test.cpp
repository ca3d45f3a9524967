// Text that grows under each n_in policy, against one pass over the whole text; sampling from logits.

#include "rfs/eval/text_generator.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "rfs/core/error.h"
#include "rfs/engine/engine.h"
#include "rfs/eval/policies.h"

namespace rfs {
namespace {

constexpr int64_t trained = 10;

std::unique_ptr<Decoder> decoder_of(const std::string& encoding, int64_t layers, torch::Dtype dtype = torch::kFloat64,
                                    torch::Device device = torch::kCPU) {
  const auto settings =
      Settings::from_text("[model]\npreset = 'gpt2'\nlayers = " + std::to_string(layers) +
                              "\nwidth = 32\nheads = 4\nhead_width = 8\nfeed_width = 32\ninitialisation = 't5'\n",
                          "test");
  auto decoder = std::make_unique<Decoder>(DecoderOptions::read(settings.find("model")), 30,
                                           Choice<PositionEncoding>::read(nullptr, encoding).make(), dtype, device);
  decoder->initialise(3);
  return decoder;
}

std::vector<int32_t> text_of(int64_t size) {
  Stream stream(5, "test");
  std::vector<int32_t> text;
  for (int64_t i = 0; i < size; ++i) text.push_back(static_cast<int32_t>(stream.below(30)));
  return text;
}

/// Logits of the next token, by one pass over the text with a given n_in.
torch::Tensor whole(const Decoder& decoder, const EvalContext& model, std::span<const int32_t> tokens, int64_t input) {
  const InferenceRow row{{tokens, {}}, input, 0};
  Batch batch = inference_batch(model, std::span(&row, 1));
  batch.predict_M = torch::tensor({static_cast<int64_t>(tokens.size()) - 1});
  const torch::NoGradGuard no_gradient;
  return decoder.target_logits(batch)[0];
}

double difference(const torch::Tensor& a, const torch::Tensor& b) {
  return (a - b).abs().max().item<double>();
}

struct Given {
  std::string encoding, indexing;
};

class ExactPolicies : public testing::TestWithParam<Given> {};

TEST_P(ExactPolicies, ComputeWhatOnePassGives) {
  const auto decoder = decoder_of(GetParam().encoding, 2);
  const auto indexing = Choice<PositionIndexing>::read(nullptr, GetParam().indexing).make();
  const EvalOptions eval;
  const EvalContext model{*decoder, *indexing, trained, eval};
  const auto text = text_of(33);
  constexpr int64_t prompt = 3, bucket = 8;
  for (const auto chosen : {LengthPolicy::planned, LengthPolicy::current, LengthPolicy::bucket}) {
    const std::string policy = enum_name(chosen);
    GenerateOptions options;
    options.n_in = chosen;
    options.bucket = bucket;
    options.tokens = 30;
    TextGenerator generator(*decoder, model, options, std::span(text).first(prompt));
    for (int64_t size = prompt;; ++size) {
      const int64_t input = policy == "planned"   ? 33
                            : policy == "current" ? size
                                                  : (size + bucket - 1) / bucket * bucket;
      const auto expected = whole(*decoder, model, std::span(text).first(static_cast<size_t>(size)), input);
      ASSERT_LT(difference(generator.logits(), expected), 1e-10) << policy << " " << size;
      if (size == 33) break;
      generator.add(text[static_cast<size_t>(size)]);
    }
    // Up to n_tr, no position moves. Beyond it, each new token (or bucket) moves all positions.
    const bool moves = GetParam().indexing != "sequential";
    EXPECT_EQ(generator.passes(), !moves || policy == "planned" ? 1 : policy == "current" ? 1 + 23 : 1 + 4) << policy;
  }
}

INSTANTIATE_TEST_SUITE_P(All, ExactPolicies,
                         testing::Values(Given{"rope", "random_float"}, Given{"rope", "interpolated"},
                                         Given{"rope", "sequential"}, Given{"alibi", "random_float"},
                                         Given{"sinusoidal", "random_float"}, Given{"none", "sequential"}),
                         [](const auto& named) { return named.param.encoding + "_" + named.param.indexing; });

TEST_P(ExactPolicies, TextsTogetherAreAsAlone) {
  const auto decoder = decoder_of(GetParam().encoding, 2);
  const auto indexing = Choice<PositionIndexing>::read(nullptr, GetParam().indexing).make();
  const EvalOptions eval;
  const EvalContext model{*decoder, *indexing, trained, eval};
  const auto text = text_of(40);
  const std::vector<std::pair<int64_t, int64_t>> prompts_and_ends = {{3, 24}, {1, 9}, {12, 30}, {5, 5}, {7, 26}};
  for (const auto policy :
       {LengthPolicy::planned, LengthPolicy::current, LengthPolicy::bucket, LengthPolicy::rerotate}) {
    if (policy == LengthPolicy::rerotate && !decoder->can_rerotate()) continue;
    GenerateOptions options;
    options.n_in = policy;
    options.bucket = 4;
    options.tokens = 30;
    std::vector<TextGenerator::Beginning> beginnings;
    std::vector<std::unique_ptr<TextGenerator>> alone;
    for (const auto& [prompt, end] : prompts_and_ends) {
      beginnings.push_back({std::span(text).first(static_cast<size_t>(prompt)), beginnings.size()});
      alone.push_back(std::make_unique<TextGenerator>(*decoder, model, options, beginnings.back().tokens,
                                                      beginnings.back().sample));
    }
    TextGenerator together(*decoder, model, options, beginnings);
    std::vector<TextGenerator::Next> next;
    for (int64_t step = 0; step == 0 || !next.empty(); ++step) {
      size_t open = 0;
      for (const auto& group : together.groups()) {
        for (size_t row = 0; row < group.texts.size(); ++row, ++open) {
          const auto expected = alone[group.texts[row]]->logits();
          ASSERT_LT(difference(group.logits_BV[static_cast<int64_t>(row)], expected), 1e-10)
              << enum_name(policy) << " " << step;
        }
      }
      EXPECT_EQ(open, step == 0 ? beginnings.size() : next.size());
      next.clear();
      for (size_t i = 0; i < beginnings.size(); ++i) {
        const auto& [prompt, end] = prompts_and_ends[i];
        if (prompt + step >= end) continue;
        next.emplace_back(i, text[static_cast<size_t>(prompt + step)]);
        alone[i]->add(next.back().second);
      }
      together.add(next);
    }
    int64_t passes = 0;
    for (const auto& one : alone) passes += one->passes();
    EXPECT_EQ(together.passes(), passes);
  }
}

/// The largest difference between `rerotate` and `current` while a text grows to four times n_tr.
double rerotation_error(const Decoder& decoder, const std::string& indexing_name) {
  const auto indexing = Choice<PositionIndexing>::read(nullptr, indexing_name).make();
  const EvalOptions eval;
  const EvalContext model{decoder, *indexing, trained, eval};
  const auto text = text_of(40);
  GenerateOptions options;
  options.n_in = LengthPolicy::rerotate;
  TextGenerator generator(decoder, model, options, std::span(text).first(2));
  double error = 0;
  for (int64_t size = 2; size < 40; ++size) {
    generator.add(text[static_cast<size_t>(size)]);
    const auto tokens = std::span(text).first(static_cast<size_t>(size + 1));
    error = std::max(error, difference(generator.logits(), whole(decoder, model, tokens, size + 1)));
  }
  EXPECT_EQ(generator.passes(), 1);
  return error;
}

TEST(Rerotate, IsExactInOneLayerAndNearInSeveral) {
  for (const std::string encoding : {"rope", "alibi", "none"}) {
    EXPECT_LT(rerotation_error(*decoder_of(encoding, 1), "random_float"), 1e-10) << encoding;
    EXPECT_LT(rerotation_error(*decoder_of(encoding, 2), "sequential"), 1e-10) << encoding;
  }
  const double error = rerotation_error(*decoder_of("rope", 3), "random_float");
  EXPECT_GT(error, 1e-6);
  EXPECT_LT(error, 10);
}

TEST(Rerotate, OnKernelsAddsUpNoRoundingErrors) {
  if (const auto refusal = device_refusal(); !refusal.empty()) GTEST_SKIP() << "NOT TESTED: " << refusal;
  for (const auto dtype : {DType::fp32, DType::bf16}) {
    const auto decoder = decoder_of("rope", 1, torch::kFloat32, torch::kCUDA);
    decoder->use_kernels(dtype);
    EXPECT_LT(rerotation_error(*decoder, "random_float"), dtype == DType::fp32 ? 1e-3 : 0.2);
  }
}

TEST(Rerotate, RefusesPositionsThatAreAddedToTokens) {
  const auto decoder = decoder_of("sinusoidal", 1);
  const auto indexing = Choice<PositionIndexing>::read(nullptr, "random_float").make();
  const EvalOptions eval;
  GenerateOptions options;
  options.n_in = LengthPolicy::rerotate;
  const auto text = text_of(2);
  EXPECT_THROW(TextGenerator(*decoder, {*decoder, *indexing, trained, eval}, options, text), Error);
}

TEST(Policies, AgreeWithThemselvesAndCountEveryToken) {
  const auto decoder = decoder_of("rope", 2);
  const auto indexing = Choice<PositionIndexing>::read(nullptr, "sequential").make();
  const EvalOptions eval;
  const std::vector<KnownText> texts = {{text_of(25), 1}, {text_of(12), 4}};
  const auto parts = compare_policies(*decoder, {*decoder, *indexing, trained, eval}, {}, texts, 5);
  std::map<std::string, int64_t> tokens;
  for (const auto& part : parts) {
    EXPECT_EQ(part.agree, part.tokens) << part.policy;  // sequential positions never move
    EXPECT_GT(part.loss, 0);
    EXPECT_EQ(part.end, part.begin + 5);
    tokens[part.policy] += part.tokens;
  }
  EXPECT_EQ(tokens,
            (std::map<std::string, int64_t>{{"current", 32}, {"planned", 32}, {"bucket", 32}, {"rerotate", 32}}));
}

TEST(Choose, EachTextHasItsOwnStream) {
  const auto logits = torch::zeros({1000}, torch::kFloat64);
  GenerateOptions options;
  options.temperature = 1;
  std::set<int32_t> drawn;
  for (uint64_t text = 0; text < 20; ++text) drawn.insert(choose(logits, options, 0, text));
  EXPECT_GT(drawn.size(), 15u);
  EXPECT_EQ(choose(logits, options, 3, 7), choose(logits, options, 3, 7));
  EXPECT_EQ(choose(logits, options, 3), choose(logits, options, 3, 0));
}

TEST(Choose, DrawsFromTheModelsDistribution) {
  const auto logits = torch::tensor({0.0, 2.0, 1.0, 2.0, -1.0}, torch::kFloat64);
  GenerateOptions options;
  EXPECT_EQ(choose(logits, options, 0), 1);
  const auto counts = [&] {
    std::map<int32_t, double> shares;
    for (uint64_t i = 0; i < 20'000; ++i) shares[choose(logits, options, i)] += 1 / 20'000.0;
    return shares;
  };
  options.temperature = 0.5;
  const auto weights = torch::softmax(logits / 0.5, 0);
  auto shares = counts();
  for (int32_t id = 0; id < 5; ++id) EXPECT_NEAR(shares[id], weights[id].item<double>(), 0.01) << id;
  EXPECT_EQ(counts(), shares);
  options.seed = 2;
  EXPECT_NE(counts(), shares);
  options.top_k = 3;
  shares = counts();
  EXPECT_EQ(shares.size(), 3u);
  EXPECT_NEAR(shares[2], std::exp(-2.0) / (2 + std::exp(-2.0)), 0.01);
  options.top_k = 0;
  options.top_p = 0.6;  // the most likely token has .46, the two most likely have .93
  EXPECT_NEAR(counts()[3], 0.5, 0.02);
  options.top_p = 0.4;
  EXPECT_EQ(counts(), (std::map<int32_t, double>{{1, counts()[1]}}));
}

}  // namespace
}  // namespace rfs
