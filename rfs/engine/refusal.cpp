#include "rfs/core/format.h"
#include "rfs/engine/engine.h"
#include "rfs/ops/norm_limits.h"

namespace rfs {
namespace {

std::string kind_refusal(const LayerKind& kind, const ModelShape& shape) {
  if (kind.encoding->has_bias() || !kind.encoding->learned(shape).empty()) {
    return "its encoding computes a score bias";
  }
  if (kind.attention->scales_queries() || !kind.attention->learned(shape).empty()) {
    return "its attention scales queries";
  }
  if (kind.window > 0) return "its attention has a window";
  return "";
}

}  // namespace

std::string model_refusal(const ModelSpec& model) {
  const DecoderOptions& o = model.options;
  if (model.kinds.size() > 1) return "its layers are of several kinds";
  if (const auto refusal = kind_refusal(model.kinds.front(), model.shape(model.kinds.front())); !refusal.empty()) {
    return refusal;
  }
  if (o.key_heads() != o.heads) return "model.kv_heads is not model.heads";
  if (o.qk_norm) return "model.qk_norm is on";
  switch (*o.activation) {
    case FeedForward::relu:
    case FeedForward::gelu:
      break;
    case FeedForward::swiglu:
    case FeedForward::geglu:
      return rfs::format("model.activation is {}", enum_name(*o.activation));
  }
  switch (*o.norm) {
    case Norm::rms:
    case Norm::layer:
      break;
  }
  if (o.width % 8 || o.width > widest_norm) {
    return rfs::format("model.width must be a multiple of 8 up to {}, got {}", widest_norm, *o.width);
  }
  if (o.feed_width % 8) return rfs::format("model.feed_width must be a multiple of 8, got {}", *o.feed_width);
  if (o.head_width % 8 || o.head_width > 256) {
    return rfs::format("model.head_width must be a multiple of 8 up to 256, got {}", *o.head_width);
  }
  return "";
}

std::string engine_refusal(const ModelSpec& model) {
  const auto refusal = device_refusal();
  return refusal.empty() ? model_refusal(model) : refusal;
}

}  // namespace rfs
