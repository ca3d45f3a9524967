// Losses of single labels against the decoder's mean loss, and sums by length against rows built by hand.

#include "rfs/eval/loss.h"

#include <gtest/gtest.h>

#include "rfs/core/random.h"
#include "rfs/model/decoder.h"

namespace rfs {
namespace {

struct Losses : testing::Test {
  std::unique_ptr<Decoder> decoder = [] {
    const auto settings = Settings::from_text(
        "[model]\npreset = 'gpt2'\nlayers = 1\nwidth = 32\nheads = 2\nhead_width = 16\nfeed_width = 64\n", "test");
    auto made = std::make_unique<Decoder>(DecoderOptions::read(settings.find("model")), 40,
                                          Choice<PositionEncoding>::read(nullptr, "rope").make());
    made->initialise(3);
    return made;
  }();
  std::shared_ptr<PositionIndexing> indexing = Choice<PositionIndexing>::read(nullptr, "random_float").make();
  EvalOptions options;
  EvalContext model{*decoder, *indexing, 9, options};

  static std::vector<int32_t> ids(size_t count, uint64_t number) {
    Stream stream(5, "test", number);
    std::vector<int32_t> made(count);
    for (auto& id : made) id = static_cast<int32_t>(stream.below(40));
    return made;
  }

  /// The loss of each label of a row, with positions p_i = 1000 (2 i - 1) / (2 max(9, input tokens)).
  std::vector<float> by_hand(std::span<const int32_t> row) const {
    const auto read = row.size() - 1;
    std::vector<float> positions;
    for (size_t i = 1; i <= read; ++i) {
      positions.push_back(static_cast<float>(1000.0 * static_cast<double>(2 * i - 1) /
                                             (2.0 * static_cast<double>(std::max<size_t>(9, read)))));
    }
    const Batch batch = pack(std::vector<Row>{sequence_row(row, 1)}, positions);
    const torch::NoGradGuard no_gradient;
    const auto scores = torch::log_softmax(decoder->target_logits(batch).to(torch::kFloat64), 1);
    const auto losses = -scores.gather(1, batch.labels_M.unsqueeze(1)).squeeze(1).to(torch::kFloat32).contiguous();
    return {losses.const_data_ptr<float>(), losses.const_data_ptr<float>() + losses.numel()};
  }
};

TEST_F(Losses, HaveTheMeanThatTrainingSees) {
  for (const size_t count : {2, 65, 66, 130}) {
    const auto row = ids(count, count);
    const Batch batch =
        inference_batch(model, std::vector<InferenceRow>{{sequence_row(row, 1), static_cast<int64_t>(count) - 1, 0}});
    const auto losses = decoder->losses(batch);
    EXPECT_EQ(losses.size(0), batch.labels_M.size(0));
    EXPECT_NEAR(losses.mean().item<double>(), decoder->loss(batch).item<double>(), 1e-5);
  }
}

TEST_F(Losses, ByLengthAreThoseOfTheCutRows) {
  Examples examples;
  for (uint64_t i = 0; i < 3; ++i) examples.add(ids(33, i), 1, 32);  // four windows of eight
  const auto parts = loss_by_length(model, examples, 8, [](int64_t, int64_t) {});
  ASSERT_EQ(parts.size(), 2u + 3u + 4u + 5u);  // inputs of 4, 8, 16, 32
  for (const auto& part : parts) {
    double sum = 0;
    for (int64_t i = 0; i < 3; ++i) {
      const auto losses = by_hand(examples.row(i).first(static_cast<size_t>(part.input) + 1));
      for (int64_t place = part.begin; place < part.end; ++place) {
        sum += static_cast<double>(losses[static_cast<size_t>(place)]);
      }
    }
    EXPECT_EQ(part.targets, 3 * (part.end - part.begin));
    EXPECT_NEAR(part.loss, sum / static_cast<double>(part.targets), 1e-5) << part.input << " " << part.end;
  }
}

TEST_F(Losses, OfTheLastTokensAreThoseOfTheSameTokensAfterLongerInputs) {
  Examples examples;
  for (uint64_t i = 0; i < 3; ++i) examples.add(ids(37, i), 1, 36);  // four windows of eight, and four tokens
  const auto parts = loss_of_last_tokens(model, examples, 8, [](int64_t, int64_t) {});
  ASSERT_EQ(parts.size(), 3u);
  for (size_t k = 0; k < parts.size(); ++k) {
    const auto input = int64_t{8} << k;
    double sum = 0;
    for (int64_t i = 0; i < 3; ++i) {
      const auto losses =
          by_hand(examples.row(i).subspan(static_cast<size_t>(32 - input), static_cast<size_t>(input) + 1));
      for (size_t place = losses.size() - 4; place < losses.size(); ++place) sum += static_cast<double>(losses[place]);
    }
    EXPECT_EQ(parts[k].input, input);
    EXPECT_EQ(parts[k].begin, input - 4);
    EXPECT_EQ(parts[k].targets, 12);
    EXPECT_NEAR(parts[k].loss, sum / 12, 1e-5) << input;
  }
}

TEST_F(Losses, AreMeasuredAtTheWindowWhateverItIs) {
  Examples examples;
  examples.add(ids(41, 0), 1, 40);
  const auto inputs = [&](int64_t window) {
    std::vector<int64_t> found;
    for (const auto& part : loss_by_length(model, examples, window, [](int64_t, int64_t) {})) {
      if (part.end == part.input) found.push_back(part.input);
    }
    return found;
  };
  EXPECT_EQ(inputs(10), (std::vector<int64_t>{5, 10, 20, 40}));
  EXPECT_EQ(inputs(7), (std::vector<int64_t>{3, 7, 14, 28}));
  EXPECT_EQ(inputs(1), (std::vector<int64_t>{1, 2, 4, 8, 16, 32}));
}

TEST_F(Losses, OfWindowsCountEachTokenOnce) {
  const auto stream = std::make_shared<std::vector<int32_t>>(ids(36, 1));
  const Examples windows(stream, *stream, 8);
  ASSERT_EQ(windows.size(), 4);
  double sum = 0;
  for (int64_t i = 0; i < 4; ++i) {
    const auto row = windows.row(i);
    EXPECT_EQ(std::vector(row.begin(), row.end()), std::vector(stream->begin() + 8 * i, stream->begin() + 8 * i + 9));
    for (const float loss : by_hand(row)) sum += static_cast<double>(loss);
  }
  EXPECT_NEAR(mean_loss(model, windows), sum / 32, 1e-5);
}

}  // namespace
}  // namespace rfs
