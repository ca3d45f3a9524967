#include <algorithm>

#include "rfs/arithmetic/draws.h"
#include "rfs/ops/batch_launch.h"
#include "rfs/ops/device.cuh"

namespace rfs {
namespace {

struct Example {
  int64_t begin;
  int size, answer;
};
__device__ Example find(const DeviceExamples& data, uint64_t e) {
  if (data.window) return {static_cast<int64_t>(e) * data.window, data.window + 1, 1};
  return {data.offsets[e], static_cast<int>(data.offsets[e + 1] - data.offsets[e]), data.answers[e]};
}

/// Tokens and targets of `count` rows from row `first` of the training order, for a block of 1024 threads. Thread 0 has
/// the result.
__device__ int2 tokens_and_targets(const DeviceExamples& data, const OrderNetwork& order, uint64_t first, int count) {
  __shared__ int2 sums[1024];
  int2 mine = make_int2(0, 0);
  for (int i = threadIdx.x; i < count; i += 1024) {
    const Example example = find(data, example_of(order, first + i));
    mine.x += example.size - 1;
    mine.y += example.size - example.answer;
  }
  sums[threadIdx.x] = mine;
  __syncthreads();
  for (int step = 512; step > 0; step /= 2) {
    if (threadIdx.x < step) {
      sums[threadIdx.x].x += sums[threadIdx.x + step].x;
      sums[threadIdx.x].y += sums[threadIdx.x + step].y;
    }
    __syncthreads();
  }
  return sums[0];
}

/// One block chooses the examples and computes where their tokens and targets begin. Offsets are clamped to the bucket:
/// after a non-finite loss, steps still run and may draw a batch that does not belong to this bucket.
__global__ void __launch_bounds__(1024)
    choose(const DeviceExamples data, const OrderNetwork order, const DeviceBatch b, UpdateState* state) {
  __shared__ int2 sums[1024];
  int2 before = make_int2(0, 0);
  for (int base = 0; base < b.batch; base += 1024) {
    const int i = base + threadIdx.x;
    int2 mine = make_int2(0, 0);
    if (i < b.batch) {
      const uint64_t t = static_cast<uint64_t>(state->updates) * b.whole + b.first + i, e = example_of(order, t);
      b.examples[i] = static_cast<int32_t>(e);
      b.samples[i] = t;
      const Example example = find(data, e);
      mine = make_int2(example.size - 1, example.size - example.answer);
    }
    sums[threadIdx.x] = mine;
    __syncthreads();
    for (int step = 1; step < 1024; step *= 2) {
      int2 other = make_int2(0, 0);
      if (threadIdx.x >= step) other = sums[threadIdx.x - step];
      __syncthreads();
      sums[threadIdx.x].x += other.x;
      sums[threadIdx.x].y += other.y;
      __syncthreads();
    }
    if (i < b.batch) {
      b.offsets[i] = min(before.x + sums[threadIdx.x].x - mine.x, b.tokens);
      b.target_offsets[i] = min(before.y + sums[threadIdx.x].y - mine.y, b.targets);
    }
    before.x += sums[1023].x;
    before.y += sums[1023].y;
    __syncthreads();
  }
  if (threadIdx.x <= filler_rows) {
    b.offsets[b.batch + threadIdx.x] = min(before.x + filler_tokens * static_cast<int>(threadIdx.x), b.tokens);
    if (threadIdx.x < filler_rows) b.samples[b.batch + threadIdx.x] = 0;
  }
  if (threadIdx.x == 0) b.target_offsets[b.batch] = min(before.y, b.targets);
  if (b.whole > b.batch) {
    before = tokens_and_targets(data, order, static_cast<uint64_t>(state->updates) * b.whole, b.whole);
  }
  if (threadIdx.x == 0) {
    state->tokens = before.x;
    state->targets = before.y;
  }
}

/// Draw number i of the stream (key, index): 53 bits in [0, 1), like Stream::uniform.
__device__ double uniform(uint64_t key, uint64_t index, uint64_t i) {
  const Words4 words = stream_words(key, index, i / 2);
  return i % 2 ? uniform_of(words.z, words.w) : uniform_of(words.x, words.y);
}

constexpr int threads = 128;

/// Draws `size` positions of sample t. `values` is scratch space; both arrays are in shared memory.
__device__ void draw_positions(const DeviceDraw& d, uint64_t t, int size, double* values, float* positions) {
  __shared__ double draws[threads];
  __shared__ double carried;
  __shared__ int taken;
  if (d.kind == DeviceDraw::counted) {
    for (int i = threadIdx.x; i < size; i += threads) positions[i] = static_cast<float>(i);
    return;
  }
  if (threadIdx.x == 0) carried = 0, taken = 0;
  if (d.kind == DeviceDraw::chosen_integers) {
    const int range = static_cast<int>(d.range);
    for (int base = 0; base < range; base += threads) {
      const int v = base + threadIdx.x;
      draws[threadIdx.x] = v < range ? uniform(d.key, t, v) : 0;
      __syncthreads();
      if (threadIdx.x == 0) {
        for (int k = 0; k < threads && base + k < range && taken < size; ++k) {
          if (is_chosen(draws[k], range - base - k, size - taken))
            positions[taken++] = static_cast<float>(base + k + 1);
        }
      }
      __syncthreads();
      if (taken == size) return;
    }
    return;
  }
  const int total = max(d.window, size);
  for (int base = 0; base <= total; base += threads) {
    const int i = base + threadIdx.x;
    if (i <= total) draws[threadIdx.x] = exponential_of(uniform(d.key, t, i));
    __syncthreads();
    if (threadIdx.x == 0) {
      double sum = carried;
      for (int k = 0; k < threads && base + k <= total; ++k) {
        sum += draws[k];
        if (base + k < size) values[base + k] = sum;
      }
      carried = sum;
    }
    __syncthreads();
  }
  for (int i = threadIdx.x; i < size; i += threads) {
    values[i] = d.range * share_of_gaps(values[i], carried);
  }
  __syncthreads();
  if (threadIdx.x == 0) round_distinct(values, size, d.range, positions);
}

/// One block per row writes its tokens, positions and targets. The last token of an example is only a label.
__global__ void __launch_bounds__(threads)
    fill(const DeviceExamples data, const DeviceDraws draws, int longest, const DeviceBatch b) {
  extern __shared__ double values[];  // [longest], then [longest] floats
  float* positions = reinterpret_cast<float*>(values + longest);
  const int row = blockIdx.x, begin = b.offsets[row], n = b.offsets[row + 1] - begin;
  if (row >= b.batch) {
    for (int i = threadIdx.x; i < n; i += threads) {
      b.ids[begin + i] = 0;
      b.within[begin + i] = i;
      b.sample[begin + i] = 0;
      for (int track = 0; track < draws.count; ++track) {
        b.positions[track * b.track_stride + begin + i] = static_cast<float>(i);
      }
      b.target_of[begin + i] = -1;
    }
    if (row > b.batch) return;
    for (int m = b.target_offsets[b.batch] + threadIdx.x; m < b.targets; m += threads) {
      b.predict[m] = 0;
      b.labels[m] = -1;
    }
    return;
  }
  const Example example = find(data, b.examples[row]);
  const int answer = example.answer;
  const int32_t* tokens = data.tokens + example.begin;
  for (int track = 0; track < draws.count; ++track) {
    draw_positions(draws.of_track[track], b.samples[row], n + 1, values, positions);
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += threads) b.positions[track * b.track_stride + begin + i] = positions[i];
    __syncthreads();
  }
  const int first_target = b.target_offsets[row];
  for (int i = threadIdx.x; i < n; i += threads) {
    b.ids[begin + i] = tokens[i];
    b.within[begin + i] = i;
    b.sample[begin + i] = b.samples[row];
    const int target = first_target + i - (answer - 1);
    const bool is_target = i >= answer - 1 && target < b.targets;
    b.target_of[begin + i] = is_target ? target : -1;
    if (!is_target) continue;
    b.predict[target] = begin + i;
    b.labels[target] = tokens[i + 1];
  }
}

}  // namespace

void draw_batch(const DeviceExamples& data, const OrderNetwork& order, const DeviceDraws& draws, int longest,
                const DeviceBatch& batch, UpdateState* state, cudaStream_t stream) {
  choose<<<1, 1024, 0, stream>>>(data, order, batch, state);
  int room = longest;
  for (int track = 0; track < draws.count; ++track) room = std::max(room, draws.of_track[track].window);
  const size_t bytes = room * (sizeof(double) + sizeof(float));
  fits_shared(fill, bytes);
  fill<<<batch.batch + filler_rows, threads, bytes, stream>>>(data, draws, room, batch);
}

}  // namespace rfs
