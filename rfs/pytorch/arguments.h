#pragma once

#include <torch/types.h>

#include <string>
#include <vector>

#include "rfs/core/error.h"

namespace rfs {

/// Checks the offsets of packed rows: int64, starting at 0, never decreasing. Returns them on the CPU. Otherwise Python
/// gets a one-line ValueError.
torch::Tensor checked_offsets(const std::string& op, const torch::Tensor& offsets);

/// RoPE's frequencies for this head width; empty if `share` leaves no pair of dims.
std::vector<double> rope_frequencies(const std::string& op, int64_t head_width, double base, double share);

/// Runs `body` and turns the library's Error into a ValueError.
template <class Body>
auto one_line(const Body& body) {
  try {
    return body();
  } catch (const Error& error) {
    TORCH_CHECK_VALUE(false, error.what());
  }
}

}  // namespace rfs
