// Decoding with kept keys and values against running whole rows again.

#include "rfs/model/decoding.h"

#include <gtest/gtest.h>
#include <torch/cuda.h>

#include <algorithm>
#include <set>

#include "rfs/core/error.h"
#include "rfs/core/random.h"
#include "rfs/model/device.h"

namespace rfs {
namespace {

constexpr int64_t vocabulary = 13;

std::unique_ptr<Decoder> small(const std::string& preset, const std::string& encoding, torch::Device device) {
  const auto settings = Settings::from_text(
      "[model]\npreset = '" + preset + "'\nlayers = 2\nwidth = 16\nheads = 3\nhead_width = 8\nfeed_width = 32\n",
      "test");
  auto decoder =
      std::make_unique<Decoder>(DecoderOptions::read(settings.find("model")), vocabulary,
                                Choice<PositionEncoding>::read(nullptr, encoding).make(), torch::kFloat64, device);
  decoder->initialise(3);
  return decoder;
}

void compare(const Decoder& decoder) {
  const torch::NoGradGuard no_gradient;
  Stream stream(1, "rows");
  constexpr size_t count = 9, longest = 20;
  std::vector<std::vector<int32_t>> rows(count);
  std::vector<std::vector<float>> positions(count);
  const auto token = [&] { return static_cast<int32_t>(stream.below(vocabulary)); };
  std::vector<Decoding::Start> starts;
  for (size_t b = 0; b < count; ++b) {
    for (size_t i = 0; i < 1 + (5 * b) % 7; ++i) rows[b].push_back(token());
    float position = 0;
    for (size_t i = 0; i < longest - b; ++i) {
      positions[b].push_back(position += static_cast<float>(0.1 + 9 * stream.uniform()));
    }
  }
  for (size_t b = 0; b < count; ++b) starts.push_back({rows[b], positions[b]});
  const auto again = [&](const std::vector<size_t>& open) {
    std::vector<Row> whole;
    std::vector<float> numbers;
    for (const size_t b : open) {
      whole.push_back({rows[b], {}});
      numbers.insert(numbers.end(), positions[b].begin(),
                     positions[b].begin() + static_cast<std::ptrdiff_t>(rows[b].size()));
    }
    Batch batch = pack(whole, numbers);
    batch.predict_M = batch.offsets.narrow(0, 1, batch.rows()) - 1;
    return decoder.target_logits(batch);
  };

  Decoding decoding(decoder, starts);
  std::vector<size_t> closed;
  for (size_t step = 0;; ++step) {
    ASSERT_EQ(decoding.logits().sizes(),
              torch::IntArrayRef({static_cast<int64_t>(decoding.open().size()), vocabulary}));
    EXPECT_LT((decoding.logits() - again(decoding.open())).abs().max().item<double>(), 1e-12) << step;
    std::set<size_t> ended;  // one within, the last, the first two, those that are full
    if (step == 2) ended = {1};
    if (step == 4) ended = {decoding.open().size() - 1};
    if (step == 7) ended = {0, 1};
    for (size_t place = 0; place < decoding.open().size(); ++place) {
      const size_t b = decoding.open()[place];
      if (rows[b].size() == positions[b].size()) ended.insert(place);
    }
    for (const size_t place : ended) closed.push_back(decoding.open()[place]);
    decoding.close(std::vector<size_t>(ended.begin(), ended.end()));
    if (decoding.open().empty()) break;
    std::vector<int32_t> tokens;
    for (const size_t b : decoding.open()) tokens.push_back(rows[b].emplace_back(token()));
    decoding.step(tokens);
  }
  std::sort(closed.begin(), closed.end());
  EXPECT_EQ(closed, (std::vector<size_t>{0, 1, 2, 3, 4, 5, 6, 7, 8}));
}

class Decodings : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(Decodings, AgreeWithRunningWholeRowsAgain) {
  const auto& [preset, encoding] = GetParam();
  compare(*small(preset, encoding, torch::kCPU));
  if (torch::cuda::is_available()) compare(*small(preset, encoding, torch::kCUDA));
}

INSTANTIATE_TEST_SUITE_P(All, Decodings,
                         testing::Combine(testing::Values("tiny", "gpt2"),
                                          testing::ValuesIn(Registry<PositionEncoding>::names())),
                         [](const auto& named) { return std::get<0>(named.param) + "_" + std::get<1>(named.param); });

TEST(Device, IsChosenByName) {
  EXPECT_EQ(choose_device("cpu", "eval.device"), torch::Device(torch::kCPU));
  if (torch::cuda::is_available()) {
    EXPECT_EQ(choose_device("auto", "eval.device"), torch::Device(torch::kCUDA, 0));
    EXPECT_EQ(choose_device("cuda", "eval.device"), torch::Device(torch::kCUDA, 0));
    return;
  }
  EXPECT_EQ(choose_device("auto", "eval.device"), torch::Device(torch::kCPU));
  try {
    choose_device("cuda", "eval.device");
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "eval.device: must be auto or cpu on a machine without a CUDA GPU, got \"cuda\"");
  }
}

}  // namespace
}  // namespace rfs
