#pragma once

#include <torch/types.h>

#include <vector>

namespace rfs {

/// Cosine and sine of position * frequency, [N, P] for N tokens and P pairs of dims; undefined if nothing is rotated.
/// Computed in double from float32 positions, then rounded to the model's dtype.
struct Rotation {
  torch::Tensor cos_NP, sin_NP;
  bool defined() const { return cos_NP.defined(); }
};

Rotation rotation(const torch::Tensor& positions_N, const std::vector<double>& frequencies, torch::Dtype dtype);
/// The same with frequencies [P], or [N, P] if tokens differ in them: float64 on the device of the positions, or
/// undefined for none.
Rotation rotation(const torch::Tensor& positions_N, const torch::Tensor& frequency, torch::Dtype dtype);

/// Rotates each pair (2k, 2k + 1) of the first 2P dims of x_NHE by its token's angle. Gradients flow to x.
torch::Tensor rotate(const torch::Tensor& x_NHE, const Rotation& rotation);

}  // namespace rfs
