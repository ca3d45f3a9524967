#include "rfs/model/spec.h"

#include <algorithm>

namespace rfs {

ModelSpec ModelSpec::uniform(const DecoderOptions& options, int64_t vocabulary,
                             std::shared_ptr<const PositionEncoding> encoding) {
  const auto softmax = Choice<AttentionRule>::read(nullptr, "softmax");
  return {options,
          vocabulary,
          0,
          {{"", std::move(encoding), softmax.make(), 0, 0}},
          std::vector<size_t>(static_cast<size_t>(*options.layers), 0)};
}

size_t ModelSpec::tracks() const {
  size_t last = 0;
  for (const LayerKind& kind : kinds) last = std::max(last, kind.track);
  return last + 1;
}

ModelShape ModelSpec::shape(const LayerKind& kind) const {
  return {options.layers, options.width, options.heads, options.head_width, trained_length, kind.window};
}

}  // namespace rfs
