#pragma once

#include <string>
#include <utility>
#include <vector>

#include "rfs/model/parameters.h"
#include "rfs/model/safetensors.h"

namespace rfs {

/// The whole state of a training run: flat float32 tensors on the CPU, in the order of Parameters. In a file: the
/// weights by name, `optimizer.NAME` for the optimizer's state, `optimizer.updates`.
struct TrainState {
  torch::Tensor weights;
  std::vector<std::pair<std::string, torch::Tensor>> optimizer;  ///< by the names that the optimizer gives them
  int64_t updates = 0;
};

/// The state as named tensors, which share memory with `state`.
TensorFile pack_state(const Parameters& parameters, const TrainState& state);

/// Throws Error unless the file holds the state of these parameters, of an optimizer with these names, and of fewer
/// than `steps` updates. `where` names the file.
TrainState unpack_state(const Parameters& parameters, const std::vector<std::string>& names, const TensorFile& file,
                        int64_t steps, const std::string& where);

/// Only the weights of a packed state.
TensorFile weights_only(const TensorFile& state);

}  // namespace rfs
