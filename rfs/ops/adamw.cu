#include <algorithm>

#include "rfs/arithmetic/schedule.h"
#include "rfs/ops/adamw.cuh"

namespace rfs {
namespace {

template <class T>
__global__ void __launch_bounds__(512) squares(const T* x, int64_t count, float* parts) {
  __shared__ float warp_parts[16];
  float total = 0;
  const int64_t stride = static_cast<int64_t>(gridDim.x) * blockDim.x;
  const int64_t first = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x, eighths = count / 8;
#pragma unroll 4
  for (int64_t i = first; i < eighths; i += stride) {
    float v[8];
    load8(x + 8 * i, v);
#pragma unroll
    for (int k = 0; k < 8; ++k) total += v[k] * v[k];
  }
  for (int64_t i = 8 * eighths + first; i < count; i += stride) total += to_float(x[i]) * to_float(x[i]);
  total = warp_sum(total);
  if (threadIdx.x % 32 == 0) warp_parts[threadIdx.x / 32] = total;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int w = 1; w < 16; ++w) total += warp_parts[w];
  parts[blockIdx.x] = total;
}

/// The sum of x in double, in a fixed order, for 256 threads.
__device__ double block_sum(const float* x, int count) {
  __shared__ double sums[256];
  double total = 0;
#pragma unroll 8
  for (int i = threadIdx.x; i < count; i += 256) total += x[i];
  sums[threadIdx.x] = total;
  __syncthreads();
  for (int step = 128; step > 0; step /= 2) {
    if (threadIdx.x < step) sums[threadIdx.x] += sums[threadIdx.x + step];
    __syncthreads();
  }
  const double all = sums[0];
  __syncthreads();
  return all;
}

__global__ void __launch_bounds__(256) add_up(const float* x, int count, float* sum) {
  const double all = block_sum(x, count);
  if (threadIdx.x == 0) *sum = static_cast<float>(all);
}

__global__ void __launch_bounds__(256)
    finish(const UpdateOptions o, const float* losses, int targets, const float* squares_of, int parts,
           UpdateState* state, UpdateLine* ring) {
  const double loss = block_sum(losses, targets) / state->targets;
  const double norm = sqrt(block_sum(squares_of, parts));
  if (threadIdx.x != 0 || !state->finite) return;
  const int64_t update = state->updates;
  const double at = static_cast<double>(update), rate = scheduled_rate(o.learning_rate, o.warmup, o.steps, update);
  ring[update % ring_size] = {static_cast<float>(loss), static_cast<float>(norm), static_cast<float>(rate),
                              state->tokens, state->targets};
  if (!isfinite(loss) || !isfinite(norm)) {
    state->finite = 0;
    return;
  }
  state->decay = static_cast<float>(1 - rate * o.weight_decay);
  state->step_size = static_cast<float>(rate / (1 - pow(o.beta1, at + 1)));
  state->root_correction = static_cast<float>(1 / sqrt(1 - pow(o.beta2, at + 1)));
  state->clip = static_cast<float>(clip_factor(o.clip, norm));
  state->updates = update + 1;
  state->pending = 1;
}

constexpr int update_threads = 768;

/// Each thread prefetches its next eight elements while it updates the current ones. One block per multiprocessor then
/// saturates that multiprocessor's memory path, and few blocks saturate the whole memory bandwidth.
template <class T>
__global__ void __launch_bounds__(update_threads, 1) adamw_range(const Update u, int64_t begin, int64_t end) {
  if (!is_pending(u)) return;
  const Factors f = factors(u);
  const FlatState& flat = u.flat;
  const int64_t half = static_cast<int64_t>(gridDim.x) * 4 * update_threads, stride = 2 * half;
  int64_t i = begin + 4 * (static_cast<int64_t>(blockIdx.x) * update_threads + threadIdx.x);
  Four<T> here[2], next[2];
  const auto load = [&](int64_t at) {
    if (at < end) next[0].load(flat, at);
    if (at + half < end) next[1].load(flat, at + half);
  };
  load(i);
  for (; i < end; i += stride) {
    here[0] = next[0];
    here[1] = next[1];
    load(i + stride);
    here[0].update(f, i, flat.decayed);
    here[0].store(flat, i);
    if (i + half >= end) break;
    here[1].update(f, i + half, flat.decayed);
    here[1].store(flat, i + half);
  }
}

template <class T>
__global__ void __launch_bounds__(256) add_all(const T* x, int64_t count, bool first, float* sum) {
  const int64_t i = 8 * (static_cast<int64_t>(blockIdx.x) * 256 + threadIdx.x);
  if (i + 8 <= count) {
    float more[8], sums[8] = {};
    load8(x + i, more);
    if (!first) load8(sum + i, sums);
#pragma unroll
    for (int k = 0; k < 8; ++k) sums[k] += more[k];
    store8(sum + i, sums);
  } else {
    for (int64_t k = i; k < count; ++k) sum[k] = (first ? 0 : sum[k]) + to_float(x[k]);
  }
}

__global__ void __launch_bounds__(256) round_all(const float* weights, int64_t count, bf16* low) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) low[i] = from_float<bf16>(weights[i]);
}

}  // namespace

void sum_squares(DType dtype, const void* x, int64_t count, float* parts, cudaStream_t stream) {
  for_dtype(dtype, [&](auto* type) {
    squares<<<square_blocks, 512, 0, stream>>>(static_cast<decltype(type)>(const_cast<void*>(x)), count, parts);
  });
}

void sum_all(const float* x, int count, float* sum, cudaStream_t stream) {
  add_up<<<1, 256, 0, stream>>>(x, count, sum);
}

void add_gradient(DType dtype, const void* x, int64_t count, bool first, float* sum, cudaStream_t stream) {
  for_dtype(dtype, [&](auto* type) {
    add_all<<<static_cast<unsigned>((count + 2047) / 2048), 256, 0, stream>>>(
        static_cast<decltype(type)>(const_cast<void*>(x)), count, first, sum);
  });
}

void finish_gradient(const UpdateOptions& options, const float* losses, int targets, const float* squares, int parts,
                     UpdateState* state, UpdateLine* ring, cudaStream_t stream) {
  finish<<<1, 256, 0, stream>>>(options, losses, targets, squares, parts, state, ring);
}

void adamw(const Update& u, int64_t begin, int64_t end, int blocks, cudaStream_t stream) {
  constexpr int a_block = 8 * update_threads;
  const auto most = static_cast<int>((end - begin + a_block - 1) / a_block);
  for_dtype(u.flat.dtype, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    adamw_range<T><<<std::min(blocks, most), update_threads, 0, stream>>>(u, begin, end);
  });
}

void round_weights(const float* weights, int64_t count, void* low, cudaStream_t stream) {
  round_all<<<static_cast<unsigned>((count + 255) / 256), 256, 0, stream>>>(weights, count, static_cast<bf16*>(low));
}

}  // namespace rfs
