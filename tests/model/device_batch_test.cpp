// The layout of a batch for the kernels, filled in host memory.

#include "rfs/model/device_batch.h"

#include <gtest/gtest.h>

namespace rfs {
namespace {

std::vector<int64_t> numbers(const torch::Tensor& x) {
  const auto wide = x.to(torch::kInt64).contiguous();
  return {wide.const_data_ptr<int64_t>(), wide.const_data_ptr<int64_t>() + wide.numel()};
}

TEST(BatchLayouts, FillUpTokensTargetsAndRows) {
  const std::vector<int32_t> first = {7, 8, 9, 1}, second = {5, 6, 2};
  const std::vector<Row> rows = {sequence_row(first, 2), sequence_row(second, 1)};
  const Batch batch = pack(rows, std::vector<float>{0.5F, 1, 2, 4, 8});
  const BatchLayout layout(40, 6, 2 + BatchLayout::filler_rows, 32, 1);
  const auto host = torch::zeros({static_cast<int64_t>(layout.bytes())}, torch::kUInt8);
  layout.fill(batch, {}, 40, 6, 4, static_cast<char*>(host.data_ptr()));
  const BatchOnDevice filled = layout.view(host, 40, 6, {});
  const auto begins = [&](const torch::Tensor& x, int64_t count) { return numbers(x.narrow(0, 0, count)); };
  EXPECT_EQ(begins(filled.tokens_N, 6), (std::vector<int64_t>{7, 8, 9, 5, 6, 0}));
  EXPECT_EQ(begins(filled.seen_N, 6), (std::vector<int64_t>{1, 2, 3, 1, 2, 1}));
  EXPECT_EQ(begins(filled.target_of_N, 6), (std::vector<int64_t>{-1, 0, 1, 2, 3, -1}));
  EXPECT_EQ(numbers(filled.predict_M), (std::vector<int64_t>{1, 2, 3, 4, 0, 0}));
  EXPECT_EQ(numbers(filled.labels_M), (std::vector<int64_t>{9, 1, 6, 2, -1, -1}));
  EXPECT_EQ(filled.positions[0][4].item<float>(), 8);
}

TEST(BatchLayouts, TakePredictionsWithoutLabelsAndTokensSeenBefore) {
  const std::vector<int32_t> token = {3};
  const Row row{token, {}};
  Batch batch = pack(std::span(&row, 1), std::vector<float>{2});
  batch.predict_M = torch::tensor({int64_t{0}});
  batch.seen_N = torch::tensor({int64_t{12}});
  const BatchOnDevice copied = BatchLayout::copy(batch, {}, torch::kCPU);
  EXPECT_EQ(numbers(copied.labels_M), std::vector<int64_t>{-1});
  EXPECT_EQ(numbers(copied.seen_N), std::vector<int64_t>{12});
  EXPECT_EQ(numbers(copied.target_of_N), std::vector<int64_t>{0});
}

}  // namespace
}  // namespace rfs
