#pragma once

#include <cstdint>

namespace rfs {

/// Type of the activations and of the weights that matmuls read on a GPU. Everything else is float32.
enum class DType { fp32, bf16 };

/// Packed rows in GPU memory. They are raw pointers, so that kernels need no LibTorch header.
struct DeviceRows {
  int tokens = 0;                     ///< N
  int rows = 0;                       ///< some may be empty
  int longest = 0;                    ///< upper limit of the tokens in a row
  int equal_length = 0;               ///< if not 0: every non-empty row has exactly this many tokens
  const int32_t* offsets = nullptr;   ///< [rows + 1]
  const int32_t* within = nullptr;    ///< [N] index of a token within its row
  const uint64_t* sample = nullptr;   ///< [N] sample number of each token's row
  const uint64_t* samples = nullptr;  ///< [rows] sample numbers, for dropout
  const float* positions = nullptr;   ///< [N]
  const float* cos = nullptr;         ///< [N, pairs]
  const float* sin = nullptr;         ///< [N, pairs]
  int pairs = 0;                      ///< rotated pairs of dims in a head
};

/// `Dropout` (dropout.h) for kernels. A `threshold` of 0 turns it off.
struct DeviceDropout {
  uint32_t threshold = 0;
  float scale = 1;
  uint64_t key = 0;
};

}  // namespace rfs
