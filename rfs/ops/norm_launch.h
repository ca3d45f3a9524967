#pragma once

#include <cuda_runtime.h>

#include "rfs/ops/device_rows.h"
#include "rfs/ops/norm_limits.h"

namespace rfs {

/// Norm of the residual stream on a GPU, fused with the residual addition before it and the dropout after it. Row r of
/// `branch` and of the results belongs to token select[r], or to token r without `select`. With `x_selected` this holds
/// for x, too; otherwise x has a row for every token. D is a multiple of 8 and at most `widest_norm`.
///
///   sum    = x + drop(branch)         x, sum of type `stream`; sum = x if branch is null
///   y      = scale * drop(norm(sum))  dropout of the output if output_site >= 0
struct NormForward {
  DeviceRows rows;
  DeviceDropout dropout;
  DType dtype = DType::bf16;
  DType stream = DType::fp32;  ///< of the residual stream; bf16 only if `dtype` is, too
  int count = 0, width = 0;
  const int32_t* select = nullptr;
  bool x_selected = false;
  const void* x = nullptr;
  const void* branch = nullptr;
  uint32_t branch_site = 0;
  uint8_t* branch_kept = nullptr;  ///< [count, D / 8] if not null: a bit for each element that dropout kept
  const float *weight = nullptr, *bias = nullptr;  ///< no bias: RMSNorm; with one: LayerNorm
  float epsilon = 0, scale = 1;
  int output_site = -1;
  void* sum = nullptr;    ///< [count, D]; may be null if there is no branch
  float* mean = nullptr;  ///< [count], only for LayerNorm
  float* inverse = nullptr;
  void* y = nullptr;
};

/// Backward pass: from the gradient of y it computes the gradient of the residual stream, added to the gradient that
/// bypasses the norm. With `target_of`, d_stream has a row for every token (0 where target_of[token] is -1), and all
/// other arrays have the rows of the forward pass. Otherwise all arrays have `count` rows, of tokens select[r] or r.
///
///   d_stream = d_past + norm'(d_y)
///   d_branch = drop'(d_stream)
struct NormBackward {
  DeviceRows rows;
  DeviceDropout dropout;
  DType dtype = DType::bf16;
  DType stream = DType::fp32;  ///< of sum, d_past and d_stream
  int count = 0, width = 0;    ///< rows to process: with `target_of`, the number of tokens
  const int32_t *select = nullptr, *target_of = nullptr;
  const void* sum = nullptr;
  const float *mean = nullptr, *inverse = nullptr, *weight = nullptr;
  const void* d_y = nullptr;
  float scale = 1;
  int output_site = -1;
  bool shift = false;            ///< LayerNorm
  const void* d_past = nullptr;  ///< null: no gradient bypasses the norm
  void* d_stream = nullptr;
  int stream_site = -1;                  ///< site of the dropout of the stream itself, before this norm
  void* d_branch = nullptr;              ///< may be null
  const uint8_t* branch_kept = nullptr;  ///< from the forward pass
  float* partial = nullptr;              ///< [norm_blocks(count), shift ? 2 : 1, D]: partial sums for weight, then bias
};

/// Number of thread blocks of the backward pass over `rows` rows. Each has its own partial sums.
int norm_blocks(int rows);

void norm_forward(const NormForward& arguments, cudaStream_t stream);
void norm_backward(const NormBackward& arguments, cudaStream_t stream);

/// One set of partial sums to add up: to[0 .. columns) = sum over `blocks` of from[block * stride + column].
struct PartialSums {
  const float* from;
  void* to;
  int32_t blocks, stride, columns;
};
/// Adds up `count` sets in a fixed order. `sets` is in GPU memory. No set has more than `widest` columns. `to` has
/// elements of type `dtype`.
void add_partial_sums(DType dtype, const PartialSums* sets, int count, int widest, cudaStream_t stream);

}  // namespace rfs
