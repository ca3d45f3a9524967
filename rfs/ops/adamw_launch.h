#pragma once

#include <cuda_runtime.h>

#include "rfs/ops/device_rows.h"

namespace rfs {

/// Counters, and what the last update gave, in the GPU's memory.
struct UpdateState {
  int64_t updates;  ///< made so far; also the number of the batch that is being worked on
  int32_t tokens, targets;
  float decay, step_size, root_correction, clip;  ///< of the update in progress
  int32_t finite;                                 ///< 0 stops all updates
  int32_t pending;                                ///< 1 from the gradient's end until the weights follow it
};

/// One line a step, kept in a ring until the host asks.
struct UpdateLine {
  float loss, gradient_norm, learning_rate;
  int32_t tokens, targets;
};

struct UpdateOptions {
  double learning_rate, weight_decay, beta1, beta2, epsilon, clip;
  int64_t warmup, steps;
};

constexpr int square_blocks = 264;
constexpr int ring_size = 1024;

/// square_blocks sums of squares of x; x begins at a multiple of 16 bytes.
void sum_squares(DType dtype, const void* x, int64_t count, float* parts, cudaStream_t stream);

/// The sum of x, in a fixed order.
void sum_all(const float* x, int count, float* sum, cudaStream_t stream);

/// sum = x where `first`, else sum += x; both begin at a multiple of 16 bytes.
void add_gradient(DType dtype, const void* x, int64_t count, bool first, float* sum, cudaStream_t stream);

/// From losses of single targets and the sums of squares: the loss, the gradient's norm, the learning rate and
/// AdamW's factors for this update, a line in the ring; then counts the update, which is pending from here on. Where
/// loss or norm is not finite `finite` becomes 0 and nothing is counted.
void finish_gradient(const UpdateOptions& options, const float* losses, int targets, const float* squares, int parts,
                     UpdateState* state, UpdateLine* ring, cudaStream_t stream);

/// Flat buffers of `count` elements, of which the first `decayed` are decayed. `low`: the weights as bf16, or null.
struct FlatState {
  int64_t count = 0, decayed = 0;
  DType dtype = DType::fp32;  ///< of the gradient
  const void* gradient = nullptr;
  float *weights = nullptr, *first = nullptr, *second = nullptr;
  void* low = nullptr;
};

/// An update whose factors the GPU knows.
struct Update {
  UpdateOptions options;
  const UpdateState* state = nullptr;
  FlatState flat;
};

/// The update goes four elements at a time: buffers have room for that many.
constexpr int64_t whole_fours(int64_t count) {
  return (count + 3) / 4 * 4;
}

/// AdamW with the clipped gradient, for elements begin .. end, begin a multiple of 4, by at most `blocks` blocks of
/// threads, each of which wants a multiprocessor. Nothing happens where state->finite or state->pending is 0.
void adamw(const Update& update, int64_t begin, int64_t end, int blocks, cudaStream_t stream);

/// bf16 copies of float32 weights.
void round_weights(const float* weights, int64_t count, void* low, cudaStream_t stream);

}  // namespace rfs
