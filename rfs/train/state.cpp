#include "rfs/train/state.h"

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/model/store.h"

namespace rfs {

TensorFile pack_state(const Parameters& parameters, const TrainState& state) {
  TensorFile file;
  int64_t begin = 0;
  for (const auto& [name, tensor] : parameters.items()) {
    file.tensors.emplace_back(name, state.weights.narrow(0, begin, tensor.numel()).view(tensor.sizes()));
    begin += tensor.numel();
  }
  file.tensors.emplace_back("optimizer.first", state.first);
  file.tensors.emplace_back("optimizer.second", state.second);
  file.tensors.emplace_back("optimizer.updates", torch::tensor({state.updates}, torch::kInt64));
  return file;
}

TrainState unpack_state(const Parameters& parameters, const TensorFile& file, int64_t steps, const std::string& where) {
  const auto* first = file.find("optimizer.first");
  const auto* second = file.find("optimizer.second");
  const auto* updates = file.find("optimizer.updates");
  const auto flat = [&](const torch::Tensor* tensor) {
    return tensor && tensor->scalar_type() == torch::kFloat32 && tensor->dim() == 1 &&
           tensor->numel() == parameters.size();
  };
  if (!flat(first) || !flat(second) || !updates || updates->numel() != 1 || updates->scalar_type() != torch::kInt64 ||
      updates->item<int64_t>() < 0 || updates->item<int64_t>() >= steps) {
    throw Error(rfs::format("{}: must be a checkpoint of this run, got other tensors", where));
  }
  return {flat_weights(parameters, file, where), *first, *second, updates->item<int64_t>()};
}

TensorFile weights_only(const TensorFile& state) {
  TensorFile weights;
  for (const auto& [name, tensor] : state.tensors) {
    if (!name.starts_with("optimizer.")) weights.tensors.emplace_back(name, tensor);
  }
  return weights;
}

}  // namespace rfs
