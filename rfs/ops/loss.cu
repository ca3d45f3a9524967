// One block per row of logits. It keeps the row in shared memory if it fits. Rows begin at multiples of 16 bytes.

#include "rfs/ops/device.cuh"
#include "rfs/ops/loss_launch.h"

namespace rfs {
namespace {

constexpr int threads = 512;
constexpr size_t most_kept = 160 * 1024;

/// Running log-sum-exp: the maximum, and the sum of exponentials relative to it.
struct Sum {
  float most, total;
};
__device__ __forceinline__ Sum join(Sum a, Sum b) {
  const float most = fmaxf(a.most, b.most);
  if (most == -INFINITY) return {most, 0};
  return {most, a.total * __expf(a.most - most) + b.total * __expf(b.most - most)};
}

template <class T, bool Kept>
__global__ void __launch_bounds__(threads)
    loss_rows(T* logits, const int32_t* labels, const int32_t* targets, int vocabulary, int stride, float* loss) {
  extern __shared__ __align__(16) char memory[];
  __shared__ Sum parts[threads / 32];
  T* row = logits + static_cast<int64_t>(blockIdx.x) * stride;
  const int label = labels[blockIdx.x], whole = vocabulary / 8 * 8;
  for (int v = vocabulary + threadIdx.x; v < stride; v += threads) row[v] = from_float<T>(0);
  if (label < 0) {
    const float zero[8] = {};
    for (int v = 8 * threadIdx.x; v < whole; v += 8 * threads) store8(row + v, zero);
    for (int v = whole + threadIdx.x; v < vocabulary; v += threads) row[v] = from_float<T>(0);
    if (threadIdx.x == 0) loss[blockIdx.x] = 0;
    return;
  }
  T* from = row;
  if (Kept) {
    from = reinterpret_cast<T*>(memory);
    for (int v = 8 * threadIdx.x; v < whole; v += 8 * threads) {
      constexpr int piece = 16 / sizeof(T);
#pragma unroll
      for (int i = 0; i < 8; i += piece) copy_async(shared_address(from + v + i), row + v + i, true);
    }
    wait_for_copies();
  }
  Sum sum{-INFINITY, 0};
  for (int v = 8 * threadIdx.x; v < whole; v += 8 * threads) {
    float x[8];
    load8(from + v, x);
#pragma unroll
    for (int i = 0; i < 8; ++i) sum.most = fmaxf(sum.most, x[i]);
  }
  for (int v = 8 * threadIdx.x; v < whole; v += 8 * threads) {
    float x[8];
    load8(from + v, x);
#pragma unroll
    for (int i = 0; i < 8; ++i) sum.total += __expf(x[i] - sum.most);
  }
  for (int v = whole + threadIdx.x; v < vocabulary; v += threads) sum = join(sum, {to_float(row[v]), 1});
#pragma unroll
  for (int step = 16; step > 0; step /= 2) {
    sum = join(sum, {__shfl_xor_sync(0xffffffff, sum.most, step), __shfl_xor_sync(0xffffffff, sum.total, step)});
  }
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
  __syncthreads();
  sum = parts[0];
  for (int w = 1; w < threads / 32; ++w) sum = join(sum, parts[w]);
  const float log_sum = sum.most + __logf(sum.total), share = 1.f / *targets;
  if (threadIdx.x == 0) loss[blockIdx.x] = log_sum - to_float(row[label]);
  __syncthreads();  // everyone has read the label's logit before it is overwritten
  const auto slope = [&](float x, int v) { return (__expf(x - log_sum) - (v == label ? 1.f : 0.f)) * share; };
  for (int v = 8 * threadIdx.x; v < whole; v += 8 * threads) {
    float x[8];
    load8(from + v, x);
#pragma unroll
    for (int i = 0; i < 8; ++i) x[i] = slope(x[i], v + i);
    store8(row + v, x);
  }
  for (int v = whole + threadIdx.x; v < vocabulary; v += threads) row[v] = from_float<T>(slope(to_float(row[v]), v));
}

__global__ void __launch_bounds__(threads)
    largest_rows(const float* logits, int vocabulary, int stride, int32_t* best) {
  __shared__ float values[threads / 32];
  __shared__ int places[threads / 32];
  const float* row = logits + static_cast<int64_t>(blockIdx.x) * stride;
  float most = -INFINITY;
  int place = 0x7fffffff;
  const auto offer = [&](float value, int at) {
    if (value > most || (value == most && at < place)) most = value, place = at;
  };
  for (int v = threadIdx.x; v < vocabulary; v += threads) offer(row[v], v);
#pragma unroll
  for (int step = 16; step > 0; step /= 2) {
    const float value = __shfl_xor_sync(0xffffffff, most, step);
    const int at = __shfl_xor_sync(0xffffffff, place, step);
    offer(value, at);
  }
  if (threadIdx.x % 32 == 0) values[threadIdx.x / 32] = most, places[threadIdx.x / 32] = place;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int w = 1; w < threads / 32; ++w) offer(values[w], places[w]);
  best[blockIdx.x] = place < vocabulary ? place : 0;  // a row of NaN has no largest element
}

}  // namespace

void loss_and_gradient(DType dtype, void* logits, const int32_t* labels, const int32_t* targets, int rows,
                       int vocabulary, int stride, float* loss, cudaStream_t stream) {
  for_dtype(dtype, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    const size_t bytes = static_cast<size_t>(vocabulary) / 8 * 8 * sizeof(T);
    const bool kept = bytes <= most_kept && fits_shared(loss_rows<T, true>, bytes);
    auto* kernel = kept ? loss_rows<T, true> : loss_rows<T, false>;
    kernel<<<rows, threads, kept ? bytes : 0, stream>>>(static_cast<T*>(logits), labels, targets, vocabulary, stride,
                                                        loss);
  });
}

void largest(const float* logits, int rows, int vocabulary, int stride, int32_t* best, cudaStream_t stream) {
  largest_rows<<<rows, threads, 0, stream>>>(logits, vocabulary, stride, best);
}

}  // namespace rfs
