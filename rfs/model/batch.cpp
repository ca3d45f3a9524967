#include "rfs/model/batch.h"

namespace rfs {

Batch pack(std::span<const Row> rows, std::span<const float> positions) {
  std::vector<std::vector<float>> tracks;
  tracks.emplace_back(positions.begin(), positions.end());
  return pack(rows, tracks);
}

Batch pack(std::span<const Row> rows, const std::vector<std::vector<float>>& tracks) {
  std::vector<int64_t> tokens, offsets{0}, predict, labels, seen, input;
  for (const Row& row : rows) {
    const auto begin = static_cast<int64_t>(tokens.size()), size = static_cast<int64_t>(row.tokens.size());
    const auto targets = static_cast<int64_t>(row.labels.size());
    TORCH_CHECK(targets <= size, "pack: more labels than tokens in a row");
    tokens.insert(tokens.end(), row.tokens.begin(), row.tokens.end());
    for (int64_t i = size - targets; i < size; ++i) predict.push_back(begin + i);
    labels.insert(labels.end(), row.labels.begin(), row.labels.end());
    offsets.push_back(begin + size);
    input.push_back(size);
    for (int64_t i = 1; i <= size; ++i) seen.push_back(i);
  }
  std::vector<torch::Tensor> positions;
  for (const auto& track : tracks) {
    TORCH_CHECK(track.size() == tokens.size(), "pack: needs one position per token and track");
    positions.push_back(torch::tensor(track, torch::kFloat32));
  }
  const auto tensor = [](const std::vector<int64_t>& values) { return torch::tensor(values, torch::kInt64); };
  return {tensor(tokens), std::move(positions), tensor(offsets), tensor(predict),
          tensor(labels), tensor(seen),         tensor(input)};
}

}  // namespace rfs
