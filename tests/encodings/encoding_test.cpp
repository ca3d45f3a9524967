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

class EveryEncoding : public testing::TestWithParam<std::string> {};

TEST_P(EveryEncoding, KeepsShapeAndType) {
  const auto encoding = make(GetParam());
  for (const auto dtype : {torch::kFloat32, torch::kFloat64}) {
    const auto x = torch::ones({5, 12}, dtype);
    const auto y = encoding->embed(x, torch::tensor({0.f, .5f, 1.25f, 7.f, 900.f}));
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
    EXPECT_TRUE(encoding->learned(shape).empty()) << "what it learns must be used";
    return;
  }
  std::vector<torch::Tensor> learned;
  for (const auto& one : encoding->learned(shape)) {
    Stream stream(2, one.name);
    learned.push_back(torch::empty(one.shape, torch::kFloat64));
    for (int64_t i = 0; i < learned.back().numel(); ++i) learned.back().data_ptr<double>()[i] = one.initial(stream);
  }
  const auto query = torch::tensor({0.0, 3.5, 900.0, 900.0}, torch::kFloat64);
  const auto key = torch::tensor({0.0, 0.25, 0.0, 899.5}, torch::kFloat64);
  const auto bias = encoding->bias(learned, query, key);
  EXPECT_EQ(bias.sizes(), torch::IntArrayRef({3, 4}));
  EXPECT_TRUE(torch::isfinite(bias).all().item<bool>());
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
