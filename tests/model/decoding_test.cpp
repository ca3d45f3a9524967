// Decoding with a cache of keys and values against computing whole rows at every step.

#include "rfs/model/decoding.h"

#include <gtest/gtest.h>
#include <torch/cuda.h>

#include <algorithm>
#include <set>

#include "every_model.h"
#include "rfs/core/error.h"
#include "rfs/core/random.h"
#include "rfs/engine/engine.h"
#include "rfs/model/device.h"

namespace rfs {
namespace {

constexpr int64_t vocabulary = 13;

/// Compares decoding with whole rows of `reference`, relative to its largest logit.
void compare(const Decoder& decoder, const Decoder& reference, double tolerance) {
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
  const size_t tracks = decoder.spec().tracks();
  const auto on_tracks = [&](const std::vector<float>& numbers) {  // positions on later tracks are doubled
    Decoding::Tracks all(tracks, numbers);
    for (size_t track = 1; track < tracks; ++track) {
      for (float& number : all[track]) number *= 2;
    }
    return all;
  };
  for (size_t b = 0; b < count; ++b) starts.push_back({rows[b], on_tracks(positions[b])});
  const auto again = [&](const std::vector<size_t>& open) {
    std::vector<Row> whole;
    std::vector<float> numbers;
    std::vector<int64_t> input;
    for (const size_t b : open) {
      whole.push_back({rows[b], {}});
      input.push_back(static_cast<int64_t>(positions[b].size()));
      numbers.insert(numbers.end(), positions[b].begin(),
                     positions[b].begin() + static_cast<std::ptrdiff_t>(rows[b].size()));
    }
    Batch batch = pack(whole, on_tracks(numbers));
    batch.input_B = torch::tensor(input, torch::kInt64);
    batch.predict_M = batch.offsets.narrow(0, 1, batch.rows()) - 1;
    return reference.target_logits(batch).to(torch::kCPU, torch::kFloat64);
  };

  Decoding decoding(decoder, starts);
  std::vector<size_t> closed;
  for (size_t step = 0;; ++step) {
    ASSERT_EQ(decoding.logits().sizes(),
              torch::IntArrayRef({static_cast<int64_t>(decoding.open().size()), vocabulary}));
    const torch::Tensor expected = again(decoding.open()), found = decoding.logits().to(expected.options());
    EXPECT_LT((found - expected).abs().max().item<double>(), tolerance * expected.abs().max().item<double>()) << step;
    std::set<size_t> ended;  // one in the middle, the last, the first two, and full ones
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

class Decodings : public testing::TestWithParam<AnyModel> {};

TEST_P(Decodings, AgreeWithRunningWholeRowsAgain) {
  const auto reference = GetParam().decoder(torch::kFloat64);
  compare(*reference, *reference, 1e-12);
  if (torch::cuda::is_available()) compare(*GetParam().decoder(torch::kFloat64, torch::kCUDA), *reference, 1e-12);
}

TEST_P(Decodings, OnKernelsAgreeWithTheReference) {
  if (const auto refusal = device_refusal(); !refusal.empty()) GTEST_SKIP() << "NOT TESTED: " << refusal;
  for (const auto& sizes : {AnyModel::small, AnyModel::heads_of_64}) {
    const auto reference = GetParam().decoder(torch::kFloat64, torch::kCPU, sizes);
    if (const auto refusal = kernel_refusal(reference->spec()); !refusal.empty()) GTEST_SKIP() << refusal;
    for (const auto dtype : {DType::fp32, DType::bf16}) {
      const auto decoder = GetParam().decoder(torch::kFloat32, torch::kCUDA, sizes);
      decoder->use_kernels(dtype);
      compare(*decoder, *reference, dtype == DType::fp32 ? 1e-4 : 5e-2);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Decodings, testing::ValuesIn(every_model()), name_of);

TEST(Device, IsChosenByName) {
  EXPECT_EQ(choose_device(DeviceChoice::cpu, "eval.device"), torch::Device(torch::kCPU));
  if (torch::cuda::is_available()) {
    EXPECT_EQ(choose_device(DeviceChoice::automatic, "eval.device"), torch::Device(torch::kCUDA, 0));
    EXPECT_EQ(choose_device(DeviceChoice::cuda, "eval.device"), torch::Device(torch::kCUDA, 0));
    return;
  }
  EXPECT_EQ(choose_device(DeviceChoice::automatic, "eval.device"), torch::Device(torch::kCPU));
  try {
    choose_device(DeviceChoice::cuda, "eval.device");
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "eval.device: must be auto or cpu on a machine without a CUDA GPU, got \"cuda\"");
  }
}

}  // namespace
}  // namespace rfs
