#pragma once

#include <cuda_runtime.h>

#include "rfs/arithmetic/order.h"
#include "rfs/ops/adamw_launch.h"
#include "rfs/ops/device_rows.h"

namespace rfs {

/// A data set in GPU memory. Example e is tokens[offsets[e] .. offsets[e + 1]), and its answer begins at answers[e].
/// With `window`, example e is tokens[e * window .. (e + 1) * window] inclusive, and everything but its first token is
/// the answer.
struct DeviceExamples {
  const int32_t* tokens = nullptr;
  const int64_t* offsets = nullptr;
  const int32_t* answers = nullptr;
  int window = 0;
};

/// How training positions are drawn. The draws equal those that the indexing makes on the CPU from the same random
/// stream.
struct DeviceDraw {
  enum Kind { counted, sorted_floats, chosen_integers } kind = counted;
  double range = 0;
  int window = 0;    ///< sorted_floats: minimum number of draws per row
  uint64_t key = 0;  ///< stream_key(seed, "positions"), or the key of another track
};

/// One draw per position track. If there are none, the caller has already written the positions.
struct DeviceDraws {
  static constexpr int most = 4;
  DeviceDraw of_track[most];
  int count = 0;
};

/// Rows at the end of a batch that carry no loss and fill it up to its bucket. Each has at most `filler_tokens` tokens.
constexpr int filler_rows = 4;
constexpr int filler_tokens = 32;
/// The numbers of tokens and of targets of a batch are multiples of this.
constexpr int bucket_size = filler_rows * filler_tokens;
/// Longer rows cannot be drawn on a GPU.
constexpr int longest_drawn = 8192;

/// Where a batch is written. Sizes are those of the bucket.
struct DeviceBatch {
  int batch = 0;                ///< rows without the filler rows
  int first = 0, whole = 0;     ///< index of its first row among the rows of all ranks, and the number of those rows
  int tokens = 0, targets = 0;  ///< N, M
  int32_t *ids = nullptr, *offsets = nullptr, *within = nullptr;
  uint64_t *samples = nullptr, *sample = nullptr;
  float* positions = nullptr;  ///< those of track t begin at t * track_stride
  int64_t track_stride = 0;
  int32_t *predict = nullptr, *labels = nullptr;  ///< [M]; label -1: no target
  int32_t* target_of = nullptr;                   ///< [N] the target that follows a token, or -1
  int32_t* target_offsets = nullptr;              ///< [batch + 1]
  int32_t* examples = nullptr;                    ///< [batch]
};

/// Makes the batch of update state->updates: chooses examples, packs them and draws their positions. Sets state->tokens
/// and state->targets to the totals of all ranks. `longest` is the length of the longest example in the data set.
void draw_batch(const DeviceExamples& data, const OrderNetwork& order, const DeviceDraws& draws, int longest,
                const DeviceBatch& batch, UpdateState* state, cudaStream_t stream);

}  // namespace rfs
