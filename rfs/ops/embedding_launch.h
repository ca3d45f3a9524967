#pragma once

#include <cuda_runtime.h>

#include "rfs/ops/adamw_launch.h"

namespace rfs {

/// GPU kernel for x = drop(embedding[token] + sinusoids(position)). Dim 2k gets sin(p f_k), dim 2k + 1 gets cos(p f_k);
/// the angle is computed in double. D is a multiple of 8.
struct Embedding {
  DeviceRows rows;
  DeviceDropout dropout;
  uint32_t site = 0;
  int width = 0;
  const int32_t* tokens = nullptr;      ///< [N]
  const double* frequencies = nullptr;  ///< [D / 2]; null: no sinusoids
};

/// The embedding table begins at element `begin` of the update's weights. If an update is pending, x uses the table's
/// values after that update; the update must not be running yet. Without update.state, no update is pending.
/// x has elements of type `type`.
void embedding_forward(const Embedding& arguments, const Update& update, int64_t begin, DType type, void* x,
                       cudaStream_t stream);

/// Bytes that order_tokens needs for `count` tokens, scratch memory included.
cudaError_t token_order_bytes(int count, int vocabulary, size_t& bytes);
/// Sorts the indices of the tokens by token; the indices of one token stay in ascending order.
cudaError_t order_tokens(const int32_t* tokens, int count, int vocabulary, void* order, cudaStream_t stream);

/// d_weights[token] (of type `dtype`) += the gradients of all its occurrences, added in a fixed order. d_x (of type
/// `type`) is the gradient before dropout. Changes only the table rows of these tokens. D is at most `widest_norm`.
void embedding_backward(DType dtype, const void* order, int count, int width, DType type, const void* d_x,
                        void* d_weights, cudaStream_t stream);

/// Cosine and sine of position * frequency, [N, pairs]. The angle is computed in double.
void angles(const float* positions, int tokens, const double* frequencies, int pairs, float* cos, float* sin,
            cudaStream_t stream);

}  // namespace rfs
