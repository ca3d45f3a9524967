#include "rfs/core/format.h"
#include "rfs/engine/engine.h"
#include "rfs/ops/query_scale.h"

namespace rfs {
namespace {

/// What the engine supports. For a new member of these enums, the compiler asks for a case here.
bool knows(FeedForward activation) {
  switch (activation) {
    case FeedForward::relu:
    case FeedForward::gelu:
    case FeedForward::swiglu:
    case FeedForward::geglu:
      return true;
    case FeedForward::gelu_erf:
      return false;
  }
  return false;
}
bool knows(Norm norm) {
  switch (norm) {
    case Norm::rms:
    case Norm::layer:
      return true;
  }
  return false;
}

std::string kind_refusal(const LayerKind& kind, const ModelShape& shape) {
  if (kind.encoding->rotation_scale() != 1) return "its encoding scales rotated dims";
  if (kind.encoding->has_bias() || !kind.encoding->learned(shape).empty()) {
    return "its encoding computes a score bias";
  }
  const auto learned = kind.attention->learned(shape);
  const size_t terms = kind.attention->scale_terms(1).size();
  if (kind.attention->scales_queries() != (terms > 0))
    return "its attention rule scales queries in a way that the engine does not support";
  if (terms > most_scale_terms || learned.size() != terms)
    return "the engine does not support the terms of its attention rule";
  for (const auto& tensor : learned) {
    if (tensor.shape != std::vector<int64_t>{shape.heads} || tensor.decays) {
      return "the engine does not support the terms of its attention rule";
    }
  }
  return "";
}

}  // namespace

std::string model_refusal(const ModelSpec& model) {
  const DecoderOptions& o = model.options;
  const auto sinusoids = [&](const LayerKind& kind) { return kind.encoding->sinusoids(o.width); };
  for (const LayerKind& kind : model.kinds) {
    if (const auto refusal = kind_refusal(kind, model.shape(kind)); !refusal.empty()) return refusal;
    if (sinusoids(kind) != sinusoids(model.kind(0)) && !sinusoids(kind).empty()) {
      return "its layers add different sinusoids to the embeddings";
    }
  }
  if (o.qk_norm) return "model.qk_norm is on";
  if (o.parallel) return "model.parallel is on";
  if (o.qkv_bias && !o.bias) return "model.qkv_bias is on";
  if (!knows(*o.activation)) return "the engine does not support its activation";
  if (!knows(*o.norm)) return "the engine does not support its norm";
  return kernel_refusal(model);
}

std::string engine_refusal(const ModelSpec& model) {
  const auto refusal = device_refusal();
  return refusal.empty() ? model_refusal(model) : refusal;
}

}  // namespace rfs
