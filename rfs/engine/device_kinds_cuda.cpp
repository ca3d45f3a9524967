#include <algorithm>

#include "rfs/engine/device_kinds.h"
#include "rfs/ops/embedding_launch.h"

namespace rfs {

DeviceKind::DeviceKind(const LayerKind& kind, const DecoderOptions& options)
    : frequencies(device_copy(kind.encoding->rotate(options.head_width))),
      pairs(static_cast<int>(kind.encoding->rotate(options.head_width).size())),
      window(static_cast<int>(kind.window)),
      track(static_cast<int64_t>(kind.track)),
      rule(kind.attention),
      terms(static_cast<int>(kind.attention->scale_terms(1).size())) {
  const auto of_heads = kind.encoding->slopes(options.heads);
  slopes = device_copy(std::vector<float>(of_heads.begin(), of_heads.end()));
}

DeviceKinds::DeviceKinds(const ModelSpec& spec) : of_layer_(spec.kind_of_layer) {
  for (const LayerKind& kind : spec.kinds) kinds_.push_back(std::make_shared<const DeviceKind>(kind, spec.options));
}

bool DeviceKinds::scales_queries() const {
  return std::any_of(kinds_.begin(), kinds_.end(), [](const auto& kind) { return kind->terms > 0; });
}

void DeviceKinds::make_terms(int longest) {
  if (!scales_queries() || longest < terms_stride_) return;
  terms_stride_ = longest + 1;
  terms_.clear();
  const auto stride = static_cast<size_t>(terms_stride_);
  for (const auto& kind : kinds_) {
    std::vector<float> table(static_cast<size_t>(kind->terms) * stride);
    for (int keys = 1; keys <= longest && kind->terms > 0; ++keys) {
      const auto terms = kind->rule->scale_terms(kind->window > 0 ? std::min(keys, kind->window) : keys);
      for (size_t k = 0; k < terms.size(); ++k) {
        table[k * stride + static_cast<size_t>(keys)] = static_cast<float>(terms[k]);
      }
    }
    terms_.push_back(device_copy(table));
  }
}

void DeviceKinds::find_angles(const DeviceInput& input, cudaStream_t stream) {
  for (size_t i = 0; i < kinds_.size(); ++i) {
    const DeviceKind& kind = *kinds_[i];
    if (kind.pairs == 0) continue;
    angles(input.rows.positions + kind.track * input.track_stride, input.rows.tokens, kind.frequencies.as<double>(),
           kind.pairs, cos_[i].as<float>(), sin_[i].as<float>(), stream);
  }
}

void DeviceKinds::describe(int layer, const DeviceInput& input, DeviceAttention& attention) const {
  const DeviceKind& kind = of(layer);
  attention.rows = input.rows;
  attention.rows.positions += kind.track * input.track_stride;
  attention.rows.cos = cos_[number(layer)].as<float>();
  attention.rows.sin = sin_[number(layer)].as<float>();
  attention.rows.pairs = kind.pairs;
  attention.window = kind.window;
  attention.slopes = kind.slopes.as<float>();
}

QueryScale DeviceKinds::query_scale(int layer) const {
  QueryScale scale;
  scale.count = of(layer).terms;
  scale.stride = terms_stride_;
  if (scale.count > 0) scale.terms = terms_[number(layer)].as<float>();
  return scale;
}

}  // namespace rfs
