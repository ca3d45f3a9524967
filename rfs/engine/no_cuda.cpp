// Stubs for builds without CUDA.

#include "rfs/core/error.h"
#include "rfs/engine/engine.h"

namespace rfs {

struct Engine::Inside {};

std::string device_refusal() {
  return "this build has no CUDA";
}
Engine::Engine(const Decoder& decoder, DType) {
  throw Error("engine: " + engine_refusal(decoder.spec()));
}
Engine::~Engine() = default;
torch::Tensor Engine::best(const Batch&) const {
  return {};
}

torch::Tensor Engine::losses(const Batch&) const {
  return {};
}
Engine::Gradient Engine::gradient(const Batch&, const Dropout&) const {
  return {};
}
std::string group_refusal() {
  return "this build has no CUDA";
}
Gpu gpu() {
  return {};
}

}  // namespace rfs
