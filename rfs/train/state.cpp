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
  for (const auto& [name, tensor] : state.optimizer) file.tensors.emplace_back("optimizer." + name, tensor);
  file.tensors.emplace_back("optimizer.updates", torch::tensor({state.updates}, torch::kInt64));
  return file;
}

TrainState unpack_state(const Parameters& parameters, const std::vector<std::string>& names, const TensorFile& file,
                        int64_t steps, const std::string& where) {
  TrainState state;
  const auto* updates = file.find("optimizer.updates");
  bool fits = updates && updates->numel() == 1 && updates->scalar_type() == torch::kInt64 &&
              updates->item<int64_t>() >= 0 && updates->item<int64_t>() < steps;
  for (const auto& name : names) {
    const auto* tensor = file.find("optimizer." + name);
    fits = fits && tensor && tensor->scalar_type() == torch::kFloat32 && tensor->dim() == 1 &&
           tensor->numel() == parameters.size();
    if (fits) state.optimizer.emplace_back(name, *tensor);
  }
  if (!fits) throw Error(rfs::format("{}: this checkpoint belongs to another run (its tensors differ)", where));
  state.weights = flat_weights(parameters, file, where);
  state.updates = updates->item<int64_t>();
  return state;
}

TensorFile weights_only(const TensorFile& state) {
  TensorFile weights;
  for (const auto& [name, tensor] : state.tensors) {
    if (!name.starts_with("optimizer.")) weights.tensors.emplace_back(name, tensor);
  }
  return weights;
}

}  // namespace rfs
