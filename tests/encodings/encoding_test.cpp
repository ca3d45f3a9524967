// The contract of every registered encoding, and each formula in double precision.

#include "rfs/encodings/encoding.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

namespace rfs {
namespace {

std::unique_ptr<PositionEncoding> make(const std::string& name, const std::string& keys = "") {
  const auto settings = Settings::from_text("[encoding]\nuse = '" + name + "'\n" + keys, "test");
  return Choice<PositionEncoding>::read(settings.find("encoding"), "").make();
}

std::vector<torch::Tensor> initial(const PositionEncoding& encoding, const ModelShape& shape) {
  std::vector<torch::Tensor> learned;
  for (const auto& one : encoding.learned(shape)) {
    Stream stream(2, one.name);
    learned.push_back(torch::empty(one.shape, torch::kFloat64));
    for (int64_t i = 0; i < learned.back().numel(); ++i) learned.back().data_ptr<double>()[i] = one.initial(stream);
  }
  return learned;
}

class EveryEncoding : public testing::TestWithParam<std::string> {};

TEST_P(EveryEncoding, KeepsShapeAndType) {
  const auto encoding = make(GetParam());
  for (const auto dtype : {torch::kFloat32, torch::kFloat64}) {
    const auto x = torch::ones({5, 12}, dtype);
    std::vector<torch::Tensor> learned;
    if (encoding->adds_learned()) {
      const ModelShape shape{.layers = 2, .width = 12, .heads = 3, .head_width = 4, .trained_length = 20};
      for (const auto& tensor : initial(*encoding, shape)) learned.push_back(tensor.to(dtype));
    }
    const auto y = encoding->embed(x, torch::tensor({0.f, .5f, 1.25f, 7.f, 900.f}), learned);
    EXPECT_EQ(y.sizes(), x.sizes());
    EXPECT_EQ(y.scalar_type(), dtype);
    EXPECT_TRUE(torch::isfinite(y).all().item<bool>());
  }
  for (const int64_t width : {1, 2, 7, 64}) EXPECT_LE(2 * encoding->rotate(width).size(), static_cast<size_t>(width));
  for (const int64_t heads : {1, 3, 12, 16}) {
    const auto slopes = encoding->slopes(heads);
    EXPECT_TRUE(slopes.empty() || slopes.size() == static_cast<size_t>(heads));
  }
}

TEST_P(EveryEncoding, BiasIsOneNumberPerHeadAndPair) {
  const auto encoding = make(GetParam());
  const ModelShape shape{.layers = 2, .width = 12, .heads = 3, .head_width = 4, .trained_length = 20};
  if (!encoding->has_bias()) {
    EXPECT_TRUE(encoding->changes_scores() || encoding->adds_learned() || encoding->learned(shape).empty())
        << "what it learns must be used";
    return;
  }
  const auto learned = initial(*encoding, shape);
  const auto query = torch::tensor({0.0, 3.5, 900.0, 900.0}, torch::kFloat64);
  const auto key = torch::tensor({0.0, 0.25, 0.0, 899.5}, torch::kFloat64);
  const auto bias = encoding->bias(learned, query, key);
  EXPECT_EQ(bias.sizes(), torch::IntArrayRef({3, 4}));
  EXPECT_TRUE(torch::isfinite(bias).all().item<bool>());
}

TEST_P(EveryEncoding, ScoresKeepTheirShapeAndCarryGradients) {
  const auto encoding = make(GetParam());
  if (!encoding->changes_scores()) return;
  const ModelShape shape{.layers = 2, .width = 12, .heads = 3, .head_width = 4, .trained_length = 20};
  const auto learned = initial(*encoding, shape);
  const auto score = torch::rand({3, 2, 5}, torch::kFloat64).requires_grad_();
  const auto query = torch::rand({3, 2, 4}, torch::kFloat64).requires_grad_();
  const auto distance = torch::tensor({{3.5, 2.0, 0.25, 0.0, 0.0}, {900.0, 7.0, 5.25, 5.0, 0.0}}, torch::kFloat64);
  const auto changed = encoding->scores(learned, score, query, distance);
  EXPECT_EQ(changed.sizes(), score.sizes());
  changed.sum().backward();
  EXPECT_TRUE(torch::isfinite(changed).all().item<bool>());
  EXPECT_TRUE(torch::isfinite(score.grad()).all().item<bool>());
}

TEST_P(EveryEncoding, ListsHelpForEveryOption) {
  const auto& entry = Registry<PositionEncoding>::find(GetParam(), "test");
  EXPECT_FALSE(entry.summary.empty());
  const auto options = entry.options();
  for (const auto& field : options->entries()) EXPECT_FALSE(field.help.empty()) << field.name;
}

INSTANTIATE_TEST_SUITE_P(Registered, EveryEncoding, testing::ValuesIn(Registry<PositionEncoding>::names()),
                         [](const auto& named) { return named.param; });

TEST(Families, RegisterEachEncodingUnderItsStem) {
  std::vector<std::string> stems;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(RFS_SOURCE) / "rfs/encodings")) {
    const bool part = std::filesystem::exists(std::filesystem::path(entry.path()).replace_extension(".h"));
    if (entry.path().extension() == ".cpp" && !part) stems.push_back(entry.path().stem());
  }
  std::sort(stems.begin(), stems.end());
  EXPECT_EQ(stems, Registry<PositionEncoding>::names());
}

TEST(None, ShowsNothing) {
  const auto encoding = make("none");
  const auto x = torch::rand({3, 4});
  EXPECT_TRUE(torch::equal(encoding->embed(x, torch::ones({3})), x));
  EXPECT_TRUE(encoding->rotate(64).empty());
  EXPECT_TRUE(encoding->slopes(12).empty());
}

// Chi et al. 2022, logarithmic variant: -p log(1 + a d), with p and a at least .01.
TEST(Kerple, FollowsThePaper) {
  const auto encoding = make("kerple");
  const std::vector<torch::Tensor> learned = {torch::tensor({1.5, -0.2}, torch::kFloat64),
                                              torch::tensor({0.3, 0.001}, torch::kFloat64)};
  const auto bias =
      encoding->bias(learned, torch::tensor({10.25, 7.0}, torch::kFloat64), torch::tensor({2.0, 7.0}, torch::kFloat64));
  EXPECT_NEAR(bias[0][0].item<double>(), -1.5 * std::log(1 + 0.3 * 8.25), 1e-14);
  EXPECT_NEAR(bias[1][0].item<double>(), -0.01 * std::log(1 + 0.01 * 8.25), 1e-14);
  EXPECT_EQ(bias[0][1].item<double>(), 0);
  for (const auto& one : encoding->learned({.heads = 2})) {
    Stream stream(1, one.name);
    for (int i = 0; i < 1000; ++i) {
      const double value = one.initial(stream);
      EXPECT_TRUE(value >= 0 && value < (one.name == "p" ? 2 : 1));
    }
  }
}

// The gradient passes through the lower limit of p and a, so that an update can raise them again.
TEST(Kerple, LearnsBelowItsLimits) {
  const auto encoding = make("kerple");
  const auto with = [&](double p, double a) {
    const std::vector<torch::Tensor> learned = {torch::full({1}, p, torch::kFloat64).requires_grad_(),
                                                torch::full({1}, a, torch::kFloat64).requires_grad_()};
    encoding->bias(learned, torch::full({1}, 8.25, torch::kFloat64), torch::zeros({1}, torch::kFloat64))
        .sum()
        .backward();
    return std::pair(learned[0].grad().item<double>(), learned[1].grad().item<double>());
  };
  const auto [p, a] = with(-0.3, -0.2);  // the gradients at p = a = .01
  EXPECT_NEAR(p, -std::log(1 + 0.01 * 8.25), 1e-15);
  EXPECT_NEAR(a, -0.01 * 8.25 / (1 + 0.01 * 8.25), 1e-15);
  EXPECT_NEAR(with(1.5, -0.2).second, -1.5 * 8.25 / (1 + 0.01 * 8.25), 1e-13);
}

TEST(Dape, LearnsBelowItsLimits) {
  const auto encoding = make("dape");
  auto learned = initial(*encoding, {.heads = 2, .head_width = 4});
  for (int i : {0, 1}) learned[static_cast<size_t>(i)] = torch::tensor({-0.3, 0.5}, torch::kFloat64).requires_grad_();
  const auto score = torch::ones({2, 1, 2}, torch::kFloat64);
  const auto distance = torch::tensor({{3.5, 0.0}}, torch::kFloat64);
  encoding->scores(learned, score, score, distance).sum().backward();
  for (const auto& one : {learned[0], learned[1]}) EXPECT_TRUE(one.grad().ne(0).all().item<bool>()) << one.grad();
}

// Raffel et al. 2020, one direction: bucket d below 16, else 16 + floor(16 log(d / 16) / log(8)), at most 31.
TEST(T5Bias, HasTheBucketsOfThePaper) {
  const auto table = torch::arange(32, torch::kFloat64).unsqueeze(1) * torch::tensor({1.0, -2.0}, torch::kFloat64);
  const auto key = torch::zeros({400}, torch::kFloat64), query = torch::arange(400, torch::kFloat64);
  const auto bias = make("t5_bias", "interpolate = false")->bias(std::vector{table}, query, key);
  for (int64_t d = 0; d < 400; ++d) {
    int64_t bucket = d;
    if (d >= 16) {
      bucket = 16 + static_cast<int64_t>(std::log(static_cast<double>(d) / 16) / std::log(8.0) * 16);
      bucket = std::min<int64_t>(bucket, 31);
    }
    EXPECT_EQ(bias[0][d].item<double>(), static_cast<double>(bucket)) << d;
    EXPECT_EQ(bias[1][d].item<double>(), -2.0 * static_cast<double>(bucket)) << d;
  }
  // Floats: linear between the distances 0 .. 15, and in the logarithm beyond; the last bucket from 31 on.
  const auto float_bias = make("t5_bias", "scale = 0.5")
                              ->bias(std::vector{table}, torch::tensor({5.0, 64.0, 512.0}, torch::kFloat64),
                                     torch::zeros({3}, torch::kFloat64));
  EXPECT_NEAR(float_bias[0][0].item<double>(), 2.5, 1e-14);
  EXPECT_NEAR(float_bias[0][1].item<double>(), 16 + 16 * std::log(2.0) / std::log(8.0), 1e-12);
  EXPECT_EQ(float_bias[0][2].item<double>(), 31);
  EXPECT_THROW(make("t5_bias", "largest = 16"), Error);
}

// Li et al. 2024: f(log(c d + 1) / (log(c max(p_i, T) + 1) + 1e-6)), with a network f(x) = 2 relu(3 x + .5) - 1.
TEST(Fire, FollowsThePaper) {
  const auto value = [](double x) { return torch::full({1}, x, torch::kFloat64); };
  const std::vector<torch::Tensor> learned = {
      value(3).view({1, 1}), value(0.5), value(2).view({1, 1}), value(-1), value(0.2), value(0.5)};
  const auto bias =
      make("fire", "threshold = 40.0\nhidden = 1")
          ->bias(learned, torch::tensor({7.5, 100.0}, torch::kFloat64), torch::tensor({1.5, 99.0}, torch::kFloat64));
  for (const auto& [pair, distance, reference] : {std::tuple{0, 6.0, 20.0}, std::tuple{1, 1.0, 100.0}}) {
    const double ratio = std::log(0.2 * distance + 1) / (std::log(0.2 * reference + 1) + 1e-6);
    EXPECT_NEAR(bias[0][pair].item<double>(), 2 * (3 * ratio + 0.5) - 1, 1e-13);
  }
}

// Oka et al. 2025: dim e sees the Ricker wavelet of (d - floor(e / S)) / 2^(e mod S).
TEST(Wavelet, AddsRickerWaveletsOfTheDistance) {
  const auto query = torch::tensor({0.5, -1.0, 2.0, 0.25, 1.0, 3.0}, torch::kFloat64).view({1, 1, 6});
  const double distance = 3.25;
  const auto added = make("wavelet", "scales = 2\nstretch = 0.5")
                         ->scores({}, torch::full({1, 1, 1}, 0.75, torch::kFloat64), query,
                                  torch::full({1, 1}, 2 * distance, torch::kFloat64));
  double expected = 0.75;
  for (int e = 0; e < 6; ++e) {
    const double t = (distance - e / 2) / (e % 2 == 0 ? 1 : 2);
    expected += query[0][0][e].item<double>() * (1 - t * t) * std::exp(-t * t / 2);
  }
  EXPECT_NEAR(added.item<double>(), expected, 1e-13);
}

TEST(Nape, GivesHalfOfTheHeadsAlibi) {
  const auto slopes = make("nape")->slopes(8), four = make("alibi")->slopes(4);
  for (size_t h = 0; h < 8; ++h) EXPECT_EQ(slopes[h], h < 4 ? four[h] : 0);
  EXPECT_EQ(make("nape")->slopes(3), (std::vector<double>{std::exp2(-4), std::exp2(-8), 0}));
  EXPECT_EQ(make("nape", "slopes = 'harmonic'")->slopes(6), (std::vector<double>{1, 0.5, 1.0 / 3, 0, 0, 0}));
}

// Paper, equation 1: p_{i,2k} = sin(p_i / 10000^{2k/d}), p_{i,2k+1} = cos(p_i / 10000^{2k/d}).
TEST(Sinusoidal, FollowsThePaper) {
  const std::vector<float> positions = {0.f, 0.123f, 1.f, 499.9f, 99999.5f};
  for (const int64_t width : {2, 7, 256}) {
    for (const double base : {10'000.0, 500.0}) {
      const auto wave = make("sinusoidal", "base = " + std::to_string(base))
                            ->embed(torch::zeros({5, width}, torch::kFloat64), torch::tensor(positions));
      for (int64_t i = 0; i < 5; ++i) {
        for (int64_t d = 0; d < width; ++d) {
          const double k = std::floor(static_cast<double>(d) / 2);
          const double angle = static_cast<double>(positions[static_cast<size_t>(i)]) /
                               std::pow(base, 2 * k / static_cast<double>(width));
          EXPECT_NEAR(wave[i][d].item<double>(), d % 2 == 0 ? std::sin(angle) : std::cos(angle), 1e-9);
        }
      }
    }
  }
}

TEST(Rope, HasItsFrequencies) {
  const auto frequencies = make("rope")->rotate(64);
  ASSERT_EQ(frequencies.size(), 8u);  // 16 of 64 dims
  for (size_t k = 0; k < 8; ++k)
    EXPECT_NEAR(frequencies[k], std::pow(10'000.0, -2.0 * static_cast<double>(k) / 16), 1e-15);
  EXPECT_EQ(make("rope", "share = 1.0")->rotate(64).size(), 32u);
  EXPECT_EQ(make("rope", "share = 0.0")->rotate(64).size(), 0u);
  EXPECT_EQ(make("rope")->rotate(32).size(), 4u);
  EXPECT_NEAR(make("rope", "share = 0.5\nbase = 100.0")->rotate(8)[1], 0.1, 1e-15);
}

// Barbero et al. 2025: the highest frequencies of the full set stay, the others do not rotate.
TEST(Rope, KeepsTheHighestFrequencies) {
  const auto all = make("rope", "share = 1.0")->rotate(64), kept = make("rope", "share = 1.0\nkept = 0.75")->rotate(64);
  ASSERT_EQ(kept.size(), 24u);
  for (size_t k = 0; k < kept.size(); ++k) EXPECT_EQ(kept[k], all[k]);
}

TEST(Learned, InterpolatesBetweenRowsAndHoldsTheLast) {
  const auto table = torch::arange(8, torch::kFloat64).view({4, 2}).square();
  const auto rows = make("learned", "size = 4")->added(std::vector{table}, torch::tensor({0.f, 1.f, 1.25f, 3.f, 9.f}));
  EXPECT_TRUE(
      torch::allclose(rows, torch::tensor({{0., 1.}, {4., 9.}, {7., 13.}, {36., 49.}, {36., 49.}}, torch::kFloat64)));
  const auto scaled = make("learned", "size = 4\nscale = 0.5")->added(std::vector{table}, torch::tensor({2.f, 2.5f}));
  EXPECT_TRUE(torch::allclose(scaled, torch::tensor({{4., 9.}, {7., 13.}}, torch::kFloat64)));
}

// Frequencies and factors that transformers 5.23 computes (modeling_rope_utils) for a head of 16 dims, base 10,000,
// trained on 512 tokens, factor 4.
TEST(Rope, ScalesLikeTransformers) {
  const std::string keys = "share = 1.0\nfactor = 4.0\noriginal_length = 512\n";
  const auto expect = [](const std::vector<double>& ours, const std::vector<double>& theirs) {
    ASSERT_EQ(ours.size(), theirs.size());
    for (size_t k = 0; k < ours.size(); ++k) EXPECT_NEAR(ours[k] / theirs[k], 1, 2e-6) << k;  // theirs are float32
  };
  const auto linear = make("rope", keys + "scaling = 'linear'"), yarn = make("rope", keys + "scaling = 'yarn'");
  const auto dynamic = make("rope", keys + "scaling = 'dynamic_ntk'");
  expect(linear->rotate(16), {0.25, 0.0790569410, 0.0250000004, 0.00790569466, 0.00249999994, 0.000790569466,
                              0.000250000012, 7.90569466e-05});
  expect(yarn->rotate(16),
         {1.0, 0.256935060, 0.0625, 0.0138349654, 0.00249999994, 0.000790569466, 0.000250000012, 7.90569466e-05});
  EXPECT_NEAR(yarn->rotation_scale(), 1.138629436111989, 1e-12);
  EXPECT_TRUE(dynamic->rotates_by_length());
  expect(dynamic->rotate_for(512, 16), make("rope", "share = 1.0")->rotate(16));
  expect(dynamic->rotate_for(1536, 16),
         {1.0, 0.231035993, 0.0533776283, 0.0123321535, 0.00284917140, 0.000658261124, 0.000152082022, 3.51364179e-05});
  const auto longrope = make("rope", keys + "scaling = 'longrope'\nfactors = [1.0, 1.1, 1.3, 1.7, 2.2, 3.0, 3.6, 4.0]");
  expect(longrope->rotate(16),
         {1.0, 0.287479758, 0.0769230798, 0.0186016336, 0.00454545440, 0.00105409266, 0.000277777785, 7.90569466e-05});
  EXPECT_NEAR(longrope->rotation_scale(), 1.1055415967851334, 1e-9);
  const auto llama3 = make("rope", keys + "scaling = 'llama3'");
  expect(llama3->rotate(16),
         {1.0, 0.316227764, 0.100000001, 0.0203718338, 0.00249999994, 0.000790569466, 0.000250000012, 7.90569466e-05});
  EXPECT_EQ(llama3->rotation_scale(), 1);
  EXPECT_EQ(make("rope", "share = 1.0\nscaling = 'ntk'\nfactor = 3.0")->rotate(16)[7],
            std::pow(10'000 * std::pow(3.0, 16.0 / 14), -7.0 / 8));
  EXPECT_THROW(make("rope", "scaling = 'yarn'\nfactor = 4.0"), Error);
  EXPECT_THROW(make("rope", keys + "scaling = 'longrope'")->rotate(16), Error);
}

TEST(Alibi, HasSlopesForAnyNumberOfHeads) {
  const auto slopes = make("alibi")->slopes(12);
  const std::vector<double> powers = {1, 2, 3, 4, 5, 6, 7, 8, 0.5, 1.5, 2.5, 3.5};  // 2^-1 .. 2^-8, 2^-0.5 .. 2^-3.5
  ASSERT_EQ(slopes.size(), 12u);
  for (size_t h = 0; h < 12; ++h) EXPECT_NEAR(slopes[h], std::exp2(-powers[h]), 1e-15);
  const auto eight = make("alibi")->slopes(8);
  for (size_t h = 0; h < 8; ++h) EXPECT_NEAR(eight[h], std::exp2(-static_cast<double>(h + 1)), 1e-15);
  EXPECT_NEAR(make("alibi")->slopes(1)[0], std::exp2(-8), 1e-15);
  const auto three = make("alibi")->slopes(3);
  EXPECT_NEAR(three[0], std::exp2(-4), 1e-15);
  EXPECT_NEAR(three[1], std::exp2(-8), 1e-15);
  EXPECT_NEAR(three[2], std::exp2(-2), 1e-15);
}

}  // namespace
}  // namespace rfs
