#pragma once

#include <torch/types.h>

#include <string>
#include <vector>

#include "rfs/core/error.h"

namespace rfs {

/// Offsets of packed rows on the CPU: int64, from 0, never falling. Else Python gets a ValueError of one line.
torch::Tensor checked_offsets(const std::string& op, const torch::Tensor& offsets);

/// RoPE's frequencies for heads of that width; none where `share` leaves no pair of dims.
std::vector<double> rope_frequencies(const std::string& op, int64_t head_width, double base, double share);

/// A mistake that the library found is a ValueError too.
template <class Body>
auto one_line(const Body& body) {
  try {
    return body();
  } catch (const Error& error) {
    TORCH_CHECK_VALUE(false, error.what());
  }
}

}  // namespace rfs
