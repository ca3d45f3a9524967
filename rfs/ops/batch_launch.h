#pragma once

#include <cuda_runtime.h>

#include "rfs/arithmetic/order.h"
#include "rfs/ops/adamw_launch.h"
#include "rfs/ops/device_rows.h"

namespace rfs {

/// A data set in a GPU's memory: example e is tokens[offsets[e] .. offsets[e + 1]), its answer begins at answers[e].
/// With `window` it is tokens[e * window .. (e + 1) * window] and all but its first token are answer.
struct DeviceExamples {
  const int32_t* tokens = nullptr;
  const int64_t* offsets = nullptr;
  const int32_t* answers = nullptr;
  int window = 0;
};

/// How training positions are drawn: the same draws as the indexing makes on the CPU from the same stream.
struct DeviceDraw {
  enum Kind { counted, sorted_floats, chosen_integers } kind = counted;
  double range = 0;
  int window = 0;    ///< sorted_floats: draws a row makes at least
  uint64_t key = 0;  ///< stream_key(seed, "positions"), or of another track
};

/// One draw for each position track. None: somebody else has put the positions there.
struct DeviceDraws {
  static constexpr int most = 4;
  DeviceDraw of_track[most];
  int count = 0;
};

/// Rows at the end that carry no loss and fill a batch up to its bucket, each of at most `filler_tokens`.
constexpr int filler_rows = 4;
constexpr int filler_tokens = 32;
/// Batches have a multiple of this many tokens and of targets.
constexpr int bucket_size = filler_rows * filler_tokens;
/// Rows of more tokens are not drawn on a GPU.
constexpr int longest_drawn = 8192;

/// Where a batch is put. Sizes are those of the bucket.
struct DeviceBatch {
  int batch = 0;                ///< rows without the fillers
  int first = 0, whole = 0;     ///< the first one's place among the rows of all ranks, and how many those are
  int tokens = 0, targets = 0;  ///< N, M
  int32_t *ids = nullptr, *offsets = nullptr, *within = nullptr;
  uint64_t *samples = nullptr, *sample = nullptr;
  float* positions = nullptr;  ///< those of track t begin at t * track_stride
  int64_t track_stride = 0;
  int32_t *predict = nullptr, *labels = nullptr;  ///< [M]; label -1 where there is none
  int32_t* target_of = nullptr;                   ///< [N] the target that follows a token, or -1
  int32_t* target_offsets = nullptr;              ///< [batch + 1]
  int32_t* examples = nullptr;                    ///< [batch]
};

/// The batch of update state->updates: chooses examples, packs them, draws their positions, sets state->tokens and
/// state->targets to those of all ranks. `longest` is that of the data set's examples.
void draw_batch(const DeviceExamples& data, const OrderNetwork& order, const DeviceDraws& draws, int longest,
                const DeviceBatch& batch, UpdateState* state, cudaStream_t stream);

}  // namespace rfs
