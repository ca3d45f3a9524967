#include "rfs/model/batch.h"

namespace rfs {

Batch pack(std::span<const Row> rows, std::span<const float> positions) {
  std::vector<int64_t> tokens, offsets{0}, predict, labels;
  for (const Row& row : rows) {
    const auto begin = static_cast<int64_t>(tokens.size()), size = static_cast<int64_t>(row.tokens.size());
    const auto targets = static_cast<int64_t>(row.labels.size());
    TORCH_CHECK(targets <= size, "pack: more labels than tokens in a row");
    tokens.insert(tokens.end(), row.tokens.begin(), row.tokens.end());
    for (int64_t i = size - targets; i < size; ++i) predict.push_back(begin + i);
    labels.insert(labels.end(), row.labels.begin(), row.labels.end());
    offsets.push_back(begin + size);
  }
  TORCH_CHECK(positions.size() == tokens.size(), "pack: one position a token");
  const std::vector<float> copy(positions.begin(), positions.end());
  return {torch::tensor(tokens, torch::kInt64), torch::tensor(copy, torch::kFloat32),
          torch::tensor(offsets, torch::kInt64), torch::tensor(predict, torch::kInt64),
          torch::tensor(labels, torch::kInt64)};
}

}  // namespace rfs
