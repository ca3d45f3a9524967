#pragma once

#include <cstdint>

namespace rfs {

/// Type of activations and of the weights that products read on a GPU. Everything else is float32.
enum class DType { fp32, bf16 };

/// Packed rows in a GPU's memory; raw pointers, so that kernels need no LibTorch header.
struct DeviceRows {
  int tokens = 0;                     ///< N
  int rows = 0;                       ///< some may be empty
  int longest = 0;                    ///< no row has more tokens
  int equal_length = 0;               ///< where it is not 0: every row that is not empty has so many
  const int32_t* offsets = nullptr;   ///< [rows + 1]
  const int32_t* within = nullptr;    ///< [N] a token's number within its row
  const uint64_t* sample = nullptr;   ///< [N] the sample of each token's row
  const uint64_t* samples = nullptr;  ///< [rows] for dropout
  const float* positions = nullptr;   ///< [N]
  const float* cos = nullptr;         ///< [N, pairs]
  const float* sin = nullptr;         ///< [N, pairs]
  int pairs = 0;                      ///< turned pairs of dims in a head
};

/// `Dropout` (dropout.h) for kernels. Off where `threshold` is 0.
struct DeviceDropout {
  uint32_t threshold = 0;
  float scale = 1;
  uint64_t key = 0;
};

}  // namespace rfs
