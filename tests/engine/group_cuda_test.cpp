// Training by the engine with a batch in parts: the shares of several processes, on one GPU, or several passes of one
// process.

#include <gtest/gtest.h>

#include "rfs/core/random.h"
#include "rfs/core/settings.h"
#include "rfs/engine/device_training.h"
#include "rfs/train/order.h"

namespace rfs {
namespace {

/// One of several processes without the others: the sum is its own share.
class Silent : public DeviceGroup {
 public:
  using DeviceGroup::DeviceGroup;
  void sum(DType, void*, int64_t, float*, cudaStream_t) const override {}
};

class DeviceGroups : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto refusal = device_refusal(); !refusal.empty()) GTEST_SKIP() << "NOT TESTED: " << refusal;
    Stream stream(9, "test");
    for (int64_t i = 0; i < 500; ++i) {
      const auto words = static_cast<int64_t>(2 + stream.below(30));
      std::vector<int32_t> row;
      for (int64_t k = 0; k < 2 * words + 2; ++k) row.push_back(static_cast<int32_t>(stream.below(30)));
      examples.add(row, words + 1, words);
    }
    const auto settings = Settings::from_text(
        "[model]\npreset = 't5-base'\nlayers = 2\nwidth = 128\nheads = 2\nhead_width = 64\nfeed_width = 256\n", "test");
    decoder = std::make_unique<Decoder>(DecoderOptions::read(settings.find("model")), 30,
                                        Choice<PositionEncoding>::read(nullptr, "rope").make());
    decoder->initialise(7);
  }

  /// Gradients are not clipped, so the first moment is proportional to the gradient.
  std::unique_ptr<DeviceTraining> training(DType dtype, const DeviceGroup* group, int micro_batch = 24) const {
    const Order order(examples.size(), 1);
    DeviceTraining::Options options;
    options.update = {1e-3, 0.05, 0.9, 0.999, 1e-8, 1e30, 10, 100};
    options.order = order.network();
    options.draws = {{{DeviceDraw::sorted_floats, 1000, 0, stream_key(1, "positions")}}, 1};
    options.batch = 24;
    options.micro_batch = micro_batch;
    options.dropout = Dropout{decoder->options().dropout, stream_key(1, "dropout"), {}}.on_device();
    options.group = group;
    return std::make_unique<DeviceTraining>(*decoder, dtype, examples, order, options);
  }

  Examples examples;
  std::unique_ptr<Decoder> decoder;
};

TEST_F(DeviceGroups, SharesOfABatchAddUpToIt) {
  const auto whole = training(DType::fp32, nullptr);
  const auto expected = whole->advance(1).front();
  const torch::Tensor gradient = whole->snapshot()().first;
  for (const int size : {2, 4}) {
    double loss = 0;
    torch::Tensor sum = torch::zeros_like(gradient);
    for (int rank = 0; rank < size; ++rank) {
      const Silent group(rank, size);
      const auto share = training(DType::fp32, &group);
      const auto line = share->advance(1).front();
      EXPECT_EQ(line.tokens, expected.tokens);
      EXPECT_EQ(line.targets, expected.targets);
      EXPECT_LT(line.loss, expected.loss);
      loss += line.loss;
      sum += share->snapshot()().first;
    }
    EXPECT_NEAR(loss, expected.loss, 1e-5 * expected.loss);
    EXPECT_LT((sum - gradient).norm().item<double>(), 1e-4 * gradient.norm().item<double>());
  }
}

TEST_F(DeviceGroups, PassesOfABatchAddUpToIt) {
  for (const DType dtype : {DType::fp32, DType::bf16}) {
    const auto whole = training(dtype, nullptr);
    const auto expected = whole->advance(1).front();
    const torch::Tensor gradient = whole->snapshot()().first;
    const double near = dtype == DType::fp32 ? 1e-5 : 3e-3;
    for (const int rows : {12, 10, 1}) {
      const auto parts = training(dtype, nullptr, rows);
      const auto line = parts->advance(1).front();
      EXPECT_EQ(line.tokens, expected.tokens);
      EXPECT_EQ(line.targets, expected.targets);
      EXPECT_NEAR(line.loss, expected.loss, near * expected.loss);
      EXPECT_NEAR(line.gradient_norm, expected.gradient_norm, near * expected.gradient_norm);
      EXPECT_LT((parts->snapshot()().first - gradient).norm().item<double>(),
                10 * near * gradient.norm().item<double>());
    }
  }
  const Silent group(1, 2);
  const auto share = training(DType::fp32, &group), share_in_parts = training(DType::fp32, &group, 5);
  EXPECT_NEAR(share->advance(1).front().loss, share_in_parts->advance(1).front().loss, 1e-5);
  const auto one = training(DType::bf16, nullptr, 10), other = training(DType::bf16, nullptr, 10);
  one->advance(20);
  other->advance(20);
  EXPECT_TRUE(torch::equal(one->snapshot()().weights, other->snapshot()().weights));
}

TEST_F(DeviceGroups, NcclAloneChangesNoBit) {
  if (const auto refusal = group_refusal(); !refusal.empty()) GTEST_SKIP() << "NOT TESTED: " << refusal;
  const auto group = join_group(new_group_name(), 0, 1);
  const auto alone = training(DType::bf16, nullptr), grouped = training(DType::bf16, group.get());
  const auto expected = alone->advance(40), given = grouped->advance(40);
  for (size_t i = 0; i < 40; ++i) {
    EXPECT_NEAR(given[i].loss, expected[i].loss, 1e-6 * expected[i].loss);
    EXPECT_NEAR(given[i].gradient_norm, expected[i].gradient_norm, 1e-5 * expected[i].gradient_norm);
  }
  EXPECT_TRUE(torch::equal(alone->snapshot()().weights, grouped->snapshot()().weights));
}

}  // namespace
}  // namespace rfs
