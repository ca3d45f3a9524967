// Stubs for builds without CUDA.

#include "rfs/core/error.h"
#include "rfs/device/device_ops.h"
#include "rfs/device/graph_cache.h"

namespace rfs {

using torch::Tensor;

struct DeviceOps::Inside {};

DeviceOps::DeviceOps(Tensor, DType dtype) : dtype_(dtype) {
  throw Error("kernels: this build has no CUDA; rebuild with CUDA or use train.tier=reference");
}
DeviceOps::~DeviceOps() = default;
void DeviceOps::round_weights() {}

Tensor DeviceOps::embed(const DevicePass&, const Tensor&, const Tensor&, const Tensor&, const Tensor&, uint32_t) const {
  return {};
}
Tensor DeviceOps::norm(const Tensor&, const Tensor&, const Tensor&, double) const {
  return {};
}
Tensor DeviceOps::linear(const Tensor&, const Tensor&, const Tensor&) const {
  return {};
}
Tensor DeviceOps::add(const DevicePass&, const Tensor&, const Tensor&, uint32_t) const {
  return {};
}
Tensor DeviceOps::drop(const DevicePass&, const Tensor&, uint32_t) const {
  return {};
}
Tensor DeviceOps::activate(const DevicePass&, const Tensor&, FeedForward, uint32_t) const {
  return {};
}
Tensor DeviceOps::attend(const DevicePass&, const Tensor&, const AttentionPlan&, uint32_t, const Tensor&,
                         const Tensor&) const {
  return {};
}
Tensor DeviceOps::attend_cached(const Tensor&, const AttentionPlan&, const CachedRows&, const Tensor&, const Tensor&,
                                const Tensor&, const Tensor&) const {
  return {};
}
Tensor DeviceOps::select(const Tensor&, const Tensor&, const Tensor&) const {
  return {};
}
Tensor DeviceOps::loss(const Tensor&, const Tensor&, double, const Tensor&, const Tensor&) const {
  return {};
}
Tensor DeviceOps::logits(const Tensor&, const Tensor&, double) const {
  return {};
}

struct GraphCache::Inside {};
GraphCache::GraphCache() = default;
GraphCache::~GraphCache() = default;
void GraphCache::run(int64_t, const std::function<void()>&) {}
void GraphCache::clear() {}

}  // namespace rfs
