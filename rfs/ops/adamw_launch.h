#pragma once

#include <cuda_runtime.h>

#include "rfs/ops/device_rows.h"

namespace rfs {

/// Counters and the factors of the current update, in GPU memory.
struct UpdateState {
  int64_t updates;  ///< updates made so far; also the number of the current batch
  int32_t tokens, targets;
  float decay, step_size, root_correction, clip;  ///< factors of the current update
  int32_t finite;                                 ///< 0 stops all updates
  int32_t pending;                                ///< 1 between the end of the backward pass and the weight update
};

/// The metrics of one step. They stay in a ring buffer until the host reads them.
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

/// Writes `square_blocks` partial sums of squares of x. x must be aligned to 16 bytes.
void sum_squares(DType dtype, const void* x, int64_t count, float* parts, cudaStream_t stream);

/// The sum of x, in a fixed order.
void sum_all(const float* x, int count, float* sum, cudaStream_t stream);

/// sum = x if `first`, else sum += x. Both must be aligned to 16 bytes.
void add_gradient(DType dtype, const void* x, int64_t count, bool first, float* sum, cudaStream_t stream);

/// Finishes the backward pass of a step. From the losses per target and the sums of squares it computes the loss, the
/// gradient norm, the learning rate and AdamW's factors, and writes a line into the ring. It then counts the update and
/// marks it as pending. If the loss or the norm is not finite, it sets `finite` to 0 and counts nothing.
void finish_gradient(const UpdateOptions& options, const float* losses, int targets, const float* squares, int parts,
                     UpdateState* state, UpdateLine* ring, cudaStream_t stream);

/// Flat buffers of `count` elements. Weight decay applies to the first `decayed` of them. `low`: the weights as bf16,
/// or null.
struct FlatState {
  int64_t count = 0, decayed = 0;
  DType dtype = DType::fp32;  ///< of the gradient
  const void* gradient = nullptr;
  float *weights = nullptr, *first = nullptr, *second = nullptr;
  void* low = nullptr;
};

/// An update whose factors are in GPU memory.
struct Update {
  UpdateOptions options;
  const UpdateState* state = nullptr;
  FlatState flat;
};

/// The update processes four elements at a time, so buffers are rounded up to a multiple of four.
constexpr int64_t whole_fours(int64_t count) {
  return (count + 3) / 4 * 4;
}

/// AdamW with the clipped gradient for elements [begin, end); `begin` is a multiple of 4. Uses at most `blocks` thread
/// blocks, each of which occupies one multiprocessor. Does nothing if state->finite or state->pending is 0.
void adamw(const Update& update, int64_t begin, int64_t end, int blocks, cudaStream_t stream);

/// Writes bf16 copies of float32 weights.
void round_weights(const float* weights, int64_t count, void* low, cudaStream_t stream);

}  // namespace rfs
