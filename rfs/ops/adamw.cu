#include "rfs/ops/adamw_launch.h"
#include "rfs/ops/device.cuh"

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
  const double at = static_cast<double>(update), warmup = static_cast<double>(o.warmup);
  const double steps = static_cast<double>(o.steps);
  const double rate = update < o.warmup ? o.learning_rate * (at + 1) / warmup
                                        : o.learning_rate * (steps - at) / fmax(1.0, steps - warmup);
  ring[update % ring_size] = {static_cast<float>(loss), static_cast<float>(norm), static_cast<float>(rate),
                              state->tokens, state->targets};
  if (!isfinite(loss) || !isfinite(norm)) {
    state->finite = 0;
    return;
  }
  state->decay = static_cast<float>(1 - rate * o.weight_decay);
  state->step_size = static_cast<float>(rate / (1 - pow(o.beta1, at + 1)));
  state->root_correction = static_cast<float>(1 / sqrt(1 - pow(o.beta2, at + 1)));
  state->clip = static_cast<float>(fmin(1.0, o.clip / (norm + 1e-6)));
  state->updates = update + 1;
}

struct Factors {
  float beta1, beta2, epsilon, decay, step_size, root_correction, clip;
};

__device__ __forceinline__ void update(const Factors& f, bool decayed, float g, float& w, float& m, float& v) {
  g *= f.clip;
  if (decayed) w *= f.decay;
  m = f.beta1 * m + (1 - f.beta1) * g;
  v = f.beta2 * v + (1 - f.beta2) * g * g;
  w -= f.step_size * m / (sqrtf(v) * f.root_correction + f.epsilon);
}

template <class T>
__global__ void __launch_bounds__(256) adamw_all(Factors f, const UpdateState* state, const FlatState flat) {
  if (!state->finite) return;
  f.decay = state->decay;
  f.step_size = state->step_size;
  f.root_correction = state->root_correction;
  f.clip = state->clip;
  bf16* low = static_cast<bf16*>(flat.low);
  const T* gradient = static_cast<const T*>(flat.gradient);
  const int64_t i = 8 * (static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x);
  if (i + 8 <= flat.count) {
    float g[8], w[8], m[8], v[8];
    load8(gradient + i, g);
    load8(flat.weights + i, w);
    load8(flat.first + i, m);
    load8(flat.second + i, v);
#pragma unroll
    for (int k = 0; k < 8; ++k) update(f, i + k < flat.decayed, g[k], w[k], m[k], v[k]);
    store8(flat.weights + i, w);
    store8(flat.first + i, m);
    store8(flat.second + i, v);
    if (low) store8(low + i, w);
  } else {
    for (int64_t k = i; k < flat.count; ++k) {
      update(f, k < flat.decayed, to_float(gradient[k]), flat.weights[k], flat.first[k], flat.second[k]);
      if (low) low[k] = from_float<bf16>(flat.weights[k]);
    }
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

void sum_squares(Element element, const void* x, int64_t count, float* parts, cudaStream_t stream) {
  for_element(element, [&](auto* type) {
    squares<<<square_blocks, 512, 0, stream>>>(static_cast<decltype(type)>(const_cast<void*>(x)), count, parts);
  });
}

void sum_all(const float* x, int count, float* sum, cudaStream_t stream) {
  add_up<<<1, 256, 0, stream>>>(x, count, sum);
}

void add_gradient(Element element, const void* x, int64_t count, bool first, float* sum, cudaStream_t stream) {
  for_element(element, [&](auto* type) {
    add_all<<<static_cast<unsigned>((count + 2047) / 2048), 256, 0, stream>>>(
        static_cast<decltype(type)>(const_cast<void*>(x)), count, first, sum);
  });
}

void finish_gradient(const UpdateOptions& options, const float* losses, int targets, const float* squares, int parts,
                     UpdateState* state, UpdateLine* ring, cudaStream_t stream) {
  finish<<<1, 256, 0, stream>>>(options, losses, targets, squares, parts, state, ring);
}

void adamw(const UpdateOptions& o, const UpdateState* state, const FlatState& flat, cudaStream_t stream) {
  const Factors factors{
      static_cast<float>(o.beta1), static_cast<float>(o.beta2), static_cast<float>(o.epsilon), 0, 0, 0, 0};
  const auto blocks = static_cast<unsigned>((flat.count + 8 * 256 - 1) / (8 * 256));
  for_element(flat.element, [&](auto* type) {
    adamw_all<std::remove_pointer_t<decltype(type)>><<<blocks, 256, 0, stream>>>(factors, state, flat);
  });
}

void round_weights(const float* weights, int64_t count, void* low, cudaStream_t stream) {
  round_all<<<static_cast<unsigned>((count + 255) / 256), 256, 0, stream>>>(weights, count, static_cast<bf16*>(low));
}

}  // namespace rfs
