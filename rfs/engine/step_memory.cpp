#include "rfs/engine/step_memory.h"

#include <cmath>

namespace rfs {
namespace {

bool fits(const LayerKind& kind, const DecoderOptions& options) {
  return kind.window == 0 && kind.encoding->slopes(options.heads).empty() && !kind.attention->scales_queries();
}

}  // namespace

bool uses_flash(const ModelSpec& model, int64_t longest) {
  if (longest <= long_row || model.options.dropout > 0) return false;
  for (const LayerKind& kind : model.kinds) {
    if (fits(kind, model.options)) return true;
  }
  return false;
}

double flash_bytes(const ModelSpec& model, double tokens, double rows, double multiprocessors) {
  double layers = 0;
  for (const size_t kind : model.kind_of_layer) layers += fits(model.kinds[kind], model.options);
  const auto inner = static_cast<double>(model.qkv().query_width()), heads = static_cast<double>(*model.options.heads);
  // For each layer: the output and its log-sum-exp. Once more: a log-sum-exp, all gradients, and the float32 gradient
  // of the queries. For a fixed summation order, the latter is computed in as many parts as keep all multiprocessors
  // busy.
  const double parts = std::ceil(multiprocessors / (rows * heads));
  return tokens * (layers * 2 * inner + (layers + 1) * 4 * heads + 3 * 2 * inner) +
         parts * (tokens + 128 * rows) * 4 * inner;
}

}  // namespace rfs
