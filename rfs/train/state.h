#pragma once

#include <string>
#include <utility>
#include <vector>

#include "rfs/model/parameters.h"
#include "rfs/model/safetensors.h"

namespace rfs {

/// The whole state of a training run: flat float32 tensors on the CPU, in the order of Parameters. In a file: weights
/// by name, `optimizer.NAME` for what the optimizer remembers, `optimizer.updates`.
struct TrainState {
  torch::Tensor weights;
  std::vector<std::pair<std::string, torch::Tensor>> optimizer;  ///< by the optimizer's names for them
  int64_t updates = 0;
};

/// The state under its names; the tensors share memory with `state`.
TensorFile pack_state(const Parameters& parameters, const TrainState& state);

/// Throws Error where the file is not a state of these parameters and of an optimizer with these names, with fewer than
/// `steps` updates; `where` names it.
TrainState unpack_state(const Parameters& parameters, const std::vector<std::string>& names, const TensorFile& file,
                        int64_t steps, const std::string& where);

/// The weights of a packed state alone.
TensorFile weights_only(const TensorFile& state);

}  // namespace rfs
