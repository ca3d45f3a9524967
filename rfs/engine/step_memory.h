#pragma once

#include "rfs/model/spec.h"

namespace rfs {

/// In bf16, the engine uses LibTorch's flash attention for rows of more than this many tokens, where it has no Hopper
/// kernels.
constexpr int long_row = 512;

/// In training, the engine stores the logits of at most this many targets at once.
constexpr int head_rows = 16384;

/// True if flash attention fits a layer of this model for rows of up to `longest` tokens: one without slopes, window,
/// scaled queries and dropout.
bool uses_flash(const ModelSpec& model, int64_t longest);

/// Bytes that LibTorch allocates for flash attention in a step of `tokens` tokens in `rows` rows.
double flash_bytes(const ModelSpec& model, double tokens, double rows, double multiprocessors);

}  // namespace rfs
