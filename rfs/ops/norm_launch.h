#pragma once

#include <cuda_runtime.h>

#include "rfs/ops/device_rows.h"

namespace rfs {

/// Norm of a residual stream on a GPU, with what comes before and after it. Row r of the results is token select[r], or
/// token r without `select`. D is a multiple of 8, at most `widest_norm`.
///
///   sum    = x + drop(branch)         x, sum float32; branch may be null: sum = x
///   y      = scale * drop(norm(sum))  output dropout where output_site >= 0
struct NormForward {
  DeviceRows rows;
  DeviceDropout dropout;
  Element element = Element::bf16;
  int count = 0, width = 0;
  const int32_t* select = nullptr;
  const float* x = nullptr;
  const void* branch = nullptr;
  uint32_t branch_site = 0;
  const float *weight = nullptr, *bias = nullptr;  ///< no bias: RMSNorm; with one: LayerNorm
  float epsilon = 0, scale = 1;
  int output_site = -1;
  float* sum = nullptr;   ///< [count, D]; may be null where there is no branch
  float* mean = nullptr;  ///< [count], LayerNorm alone
  float* inverse = nullptr;
  void* y = nullptr;
};

/// Gradients, for every token of rows: of y comes the gradient of the stream, added to what flows past the norm.
///
///   d_stream = d_past + norm'(d_y)
///   d_branch = drop'(d_stream)
struct NormBackward {
  DeviceRows rows;
  DeviceDropout dropout;
  Element element = Element::bf16;
  int width = 0;
  const int32_t* place = nullptr;  ///< [N] the forward's row of each token, -1 for none; null: r = token
  const float *sum = nullptr, *mean = nullptr, *inverse = nullptr, *weight = nullptr;
  const void* d_y = nullptr;
  float scale = 1;
  int output_site = -1;
  bool shift = false;             ///< LayerNorm
  const float* d_past = nullptr;  ///< null: nothing flows past
  float* d_stream = nullptr;
  int stream_site = -1;      ///< where the stream itself was dropped, before this norm
  void* d_branch = nullptr;  ///< may be null
  uint32_t branch_site = 0;
  float* partial = nullptr;  ///< [norm_blocks(N), shift ? 2 : 1, D]: sums for weight, then bias
};

constexpr int widest_norm = 2048;

/// Blocks of the backward pass over so many tokens, each with its own partial sums.
int norm_blocks(int tokens);

void norm_forward(const NormForward& arguments, cudaStream_t stream);
void norm_backward(const NormBackward& arguments, cudaStream_t stream);

/// One set of partial sums to be added up: to[0 .. columns) = sum over `blocks` of from[block * stride + column].
struct PartialSums {
  const float* from;
  float* to;
  int32_t blocks, stride, columns;
};
/// Adds up `count` sets, `sets` in the GPU's memory; no set has more than `widest` columns. The order is fixed.
void add_partial_sums(const PartialSums* sets, int count, int widest, cudaStream_t stream);

}  // namespace rfs
