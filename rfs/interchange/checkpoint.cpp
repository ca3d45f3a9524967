#include "rfs/interchange/checkpoint.h"

namespace rfs {
namespace {

/// For each dim of a head in the order of halves: its index in the order of pairs.
std::vector<int64_t> places_in_pairs(const CheckpointConfig& config) {
  std::vector<int64_t> places;
  for (int64_t dim = 0; dim < config.head_width; ++dim) {
    const int64_t pairs = config.rotated / 2;
    places.push_back(dim < pairs ? 2 * dim : dim < 2 * pairs ? 2 * (dim - pairs) + 1 : dim);
  }
  return places;
}

/// For each row of our tensor in the order of halves: its index in the order of pairs. Undefined if rows stay.
torch::Tensor row_places(const std::string& ours, const CheckpointConfig& config) {
  int64_t heads = 0, rest = 0;
  if (ours.find("attention.qkv.") != std::string::npos) {
    heads = config.heads + config.kv_heads;
    rest = config.kv_heads * config.head_width;
  } else if (ours.find("attention.query_norm.") != std::string::npos ||
             ours.find("attention.key_norm.") != std::string::npos) {
    heads = 1;
  }
  if (heads == 0 || config.rotated == 0) return {};
  const auto head_E = torch::tensor(places_in_pairs(config));
  const auto first_H1 = (torch::arange(heads) * config.head_width).unsqueeze(1);
  const int64_t moved = heads * config.head_width;
  return torch::cat({(first_H1 + head_E).flatten(), torch::arange(moved, moved + rest)});
}

}  // namespace

torch::Tensor halves_from_pairs(const std::string& ours, const torch::Tensor& value, const CheckpointConfig& config) {
  const auto places = row_places(ours, config);
  return places.defined() ? value.index_select(0, places) : value;
}

torch::Tensor pairs_from_halves(const std::string& ours, const torch::Tensor& value, const CheckpointConfig& config) {
  const auto places = row_places(ours, config);
  return places.defined() ? value.index_select(0, places.argsort()) : value;
}

torch::Tensor tensor_of_checkpoint(const CheckpointTensor& tensor, const torch::Tensor& ours,
                                   const CheckpointConfig& config) {
  const auto rows = ours.narrow(0, tensor.begin, tensor.rows());
  switch (tensor.layout) {
    case TensorLayout::plain:
      return rows;
    case TensorLayout::by_head:
      return rows.reshape({3, config.heads, config.head_width, -1}).transpose(0, 1).reshape(rows.sizes());
    case TensorLayout::transposed:
      return rows.t().contiguous();
  }
  TORCH_CHECK(false, "checkpoint: unknown layout");
}

torch::Tensor rows_of_ours(const CheckpointTensor& tensor, const torch::Tensor& theirs,
                           const CheckpointConfig& config) {
  switch (tensor.layout) {
    case TensorLayout::plain:
      return theirs;
    case TensorLayout::by_head:
      return theirs.reshape({config.heads, 3, config.head_width, -1}).transpose(0, 1).reshape(theirs.sizes());
    case TensorLayout::transposed:
      return theirs.t();
  }
  TORCH_CHECK(false, "checkpoint: unknown layout");
}

}  // namespace rfs
