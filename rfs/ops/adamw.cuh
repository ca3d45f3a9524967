#pragma once

#include "rfs/ops/adamw_launch.h"
#include "rfs/ops/device.cuh"

namespace rfs {

struct Factors {
  float beta1, beta2, rest1, rest2;  // rest: 1 - beta, computed in double
  float epsilon, decay, step_size, root_correction, clip;
};

__device__ __forceinline__ bool is_pending(const Update& u) {
  return u.state->finite && u.state->pending;
}

__device__ __forceinline__ Factors factors(const Update& u) {
  return {static_cast<float>(u.options.beta1),
          static_cast<float>(u.options.beta2),
          static_cast<float>(1 - u.options.beta1),
          static_cast<float>(1 - u.options.beta2),
          static_cast<float>(u.options.epsilon),
          u.state->decay,
          u.state->step_size,
          u.state->root_correction,
          u.state->clip};
}

/// All roundings are explicit. Otherwise the compiler could fuse multiply and add in one kernel and not in another, and
/// an element's bits would depend on which kernel updates it.
__device__ __forceinline__ void update(const Factors& f, bool decayed, float g, float& w, float& m, float& v) {
  g = __fmul_rn(g, f.clip);
  if (decayed) w = __fmul_rn(w, f.decay);
  m = __fmaf_rn(f.beta1, m, __fmul_rn(f.rest1, g));
  v = __fmaf_rn(f.beta2, v, __fmul_rn(__fmul_rn(f.rest2, g), g));
  const float root = __fmaf_rn(__fsqrt_rn(v), f.root_correction, f.epsilon);
  w = __fsub_rn(w, __fdiv_rn(__fmul_rn(f.step_size, m), root));
}

/// Parameters, moments and gradient of four elements. They are read once, so loads and stores use the streaming hint.
template <class T>
struct Four {
  float4 w, m, v;
  std::conditional_t<sizeof(T) == 2, uint2, uint4> gradient;

  __device__ __forceinline__ void load(const FlatState& flat, int64_t i) {
    w = __ldcs(reinterpret_cast<const float4*>(flat.weights + i));
    m = __ldcs(reinterpret_cast<const float4*>(flat.first + i));
    v = __ldcs(reinterpret_cast<const float4*>(flat.second + i));
    gradient = __ldcs(reinterpret_cast<const decltype(gradient)*>(static_cast<const T*>(flat.gradient) + i));
  }
  __device__ __forceinline__ void update(const Factors& f, int64_t i, int64_t decayed) {
    const T* g = reinterpret_cast<const T*>(&gradient);
    rfs::update(f, i < decayed, to_float(g[0]), w.x, m.x, v.x);
    rfs::update(f, i + 1 < decayed, to_float(g[1]), w.y, m.y, v.y);
    rfs::update(f, i + 2 < decayed, to_float(g[2]), w.z, m.z, v.z);
    rfs::update(f, i + 3 < decayed, to_float(g[3]), w.w, m.w, v.w);
  }
  __device__ __forceinline__ void store(const FlatState& flat, int64_t i) const {
    __stcs(reinterpret_cast<float4*>(flat.weights + i), w);
    __stcs(reinterpret_cast<float4*>(flat.first + i), m);
    __stcs(reinterpret_cast<float4*>(flat.second + i), v);
    if (flat.low) {
      *reinterpret_cast<uint2*>(static_cast<bf16*>(flat.low) + i) = make_uint2(packed(w.x, w.y), packed(w.z, w.w));
    }
  }
};

}  // namespace rfs
