#pragma once

#include <cuda_runtime.h>

#include "rfs/ops/device_rows.h"
#include "rfs/ops/norm_limits.h"

namespace rfs {

/// Norm of a residual stream on a GPU, with what comes before and after it. Row r of branch and results is of token
/// select[r], or of token r without `select`; so is row r of x where `x_selected`, else x has a row for every token. D
/// is a multiple of 8, at most `widest_norm`.
///
///   sum    = x + drop(branch)         x, sum float32; branch may be null: sum = x
///   y      = scale * drop(norm(sum))  output dropout where output_site >= 0
struct NormForward {
  DeviceRows rows;
  DeviceDropout dropout;
  DType dtype = DType::bf16;
  int count = 0, width = 0;
  const int32_t* select = nullptr;
  bool x_selected = false;
  const float* x = nullptr;
  const void* branch = nullptr;
  uint32_t branch_site = 0;
  uint8_t* branch_kept = nullptr;  ///< [count, D / 8] where not null: a bit for each element that dropout left
  const float *weight = nullptr, *bias = nullptr;  ///< no bias: RMSNorm; with one: LayerNorm
  float epsilon = 0, scale = 1;
  int output_site = -1;
  float* sum = nullptr;   ///< [count, D]; may be null where there is no branch
  float* mean = nullptr;  ///< [count], LayerNorm alone
  float* inverse = nullptr;
  void* y = nullptr;
};

/// Gradients: of y comes the gradient of the stream, added to what flows past the norm. With `target_of` d_stream has a
/// row for every token, 0 where target_of[token] is -1, and the rest the forward's rows; else all has `count` rows, of
/// tokens select[r] or r.
///
///   d_stream = d_past + norm'(d_y)
///   d_branch = drop'(d_stream)
struct NormBackward {
  DeviceRows rows;
  DeviceDropout dropout;
  DType dtype = DType::bf16;
  int count = 0, width = 0;  ///< rows gone through: with `target_of` the tokens
  const int32_t *select = nullptr, *target_of = nullptr;
  const float *sum = nullptr, *mean = nullptr, *inverse = nullptr, *weight = nullptr;
  const void* d_y = nullptr;
  float scale = 1;
  int output_site = -1;
  bool shift = false;             ///< LayerNorm
  const float* d_past = nullptr;  ///< null: nothing flows past
  float* d_stream = nullptr;
  int stream_site = -1;                  ///< where the stream itself was dropped, before this norm
  void* d_branch = nullptr;              ///< may be null
  const uint8_t* branch_kept = nullptr;  ///< the forward's
  float* partial = nullptr;              ///< [norm_blocks(count), shift ? 2 : 1, D]: sums for weight, then bias
};

/// Blocks of the backward pass over so many rows, each with its own partial sums.
int norm_blocks(int rows);

void norm_forward(const NormForward& arguments, cudaStream_t stream);
void norm_backward(const NormBackward& arguments, cudaStream_t stream);

/// One set of partial sums to be added up: to[0 .. columns) = sum over `blocks` of from[block * stride + column].
struct PartialSums {
  const float* from;
  void* to;
  int32_t blocks, stride, columns;
};
/// Adds up `count` sets, `sets` in the GPU's memory; no set has more than `widest` columns; `to` has elements of that
/// type. The order is fixed.
void add_partial_sums(DType dtype, const PartialSums* sets, int count, int widest, cudaStream_t stream);

}  // namespace rfs
