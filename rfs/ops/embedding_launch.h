#pragma once

#include <cuda_runtime.h>

#include "rfs/ops/adamw_launch.h"

namespace rfs {

/// x = drop(embedding[token] + waves(position)) on a GPU: dim 2k gets sin(p f_k), dim 2k + 1 cos(p f_k), the angle in
/// double. D is a multiple of 8.
struct Embedding {
  DeviceRows rows;
  DeviceDropout dropout;
  uint32_t site = 0;
  int width = 0;
  const int32_t* tokens = nullptr;      ///< [N]
  const double* frequencies = nullptr;  ///< [D / 2]; null: no waves
};

/// The table begins at element `begin` of the update's weights. Where an update is pending, x has the rows as it will
/// leave them; it must not be under way. Without a state there is none.
void embedding_forward(const Embedding& arguments, const Update& update, int64_t begin, float* x, cudaStream_t stream);

/// Bytes that the order of so many tokens takes, what is needed to make it included.
cudaError_t token_order_bytes(int count, int vocabulary, size_t& bytes);
/// The tokens' places by token, those of one token from first to last.
cudaError_t order_tokens(const int32_t* tokens, int count, int vocabulary, void* order, cudaStream_t stream);

/// d_weights[token], of that element type, += the gradients of its occurrences, added in a fixed order; d_x is that of
/// the sum before dropout. Touches the rows of these tokens alone. D is at most 2048.
void embedding_backward(DType dtype, const void* order, int count, int width, const float* d_x, void* d_weights,
                        cudaStream_t stream);

/// cos and sin of position * frequency, [N, pairs], the angle in double.
void angles(const float* positions, int tokens, const double* frequencies, int pairs, float* cos, float* sin,
            cudaStream_t stream);

}  // namespace rfs
