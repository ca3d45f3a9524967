#pragma once

#include <memory>
#include <vector>

#include "rfs/device/memory.h"
#include "rfs/engine/device_input.h"
#include "rfs/model/spec.h"
#include "rfs/ops/attention_launch.h"

namespace rfs {

/// What the layers of one kind have in common.
struct DeviceKind {
  DeviceKind(const LayerKind& kind, const DecoderOptions& options);

  DeviceMemory frequencies, slopes;
  int pairs = 0, window = 0;
  int64_t track = 0;
  std::shared_ptr<const AttentionRule> rule;
  int terms = 0;  ///< of what queries are scaled by; 0: they are not
};

/// A model's kinds of layers, and for up to so many tokens the angles by which queries and keys turn.
class DeviceKinds {
 public:
  explicit DeviceKinds(const ModelSpec& spec);
  /// The same kinds with angles of their own.
  DeviceKinds(const DeviceKinds& other) : kinds_(other.kinds_), of_layer_(other.of_layer_) {}

  const DeviceKind& of(int layer) const { return *kinds_[number(layer)]; }
  bool scales_queries() const;

  /// Calls `body(buffer, bytes)` for the angles of so many tokens.
  template <class Body>
  void for_each_buffer(size_t tokens, Body body) {
    cos_.resize(kinds_.size());
    sin_.resize(kinds_.size());
    for (size_t i = 0; i < kinds_.size(); ++i) {
      for (DeviceMemory* table : {&cos_[i], &sin_[i]}) body(*table, tokens * static_cast<size_t>(kinds_[i]->pairs) * 4);
    }
  }
  /// Makes what queries are scaled by for rows of up to so many tokens.
  void make_terms(int longest);

  /// Computes the angles of a batch.
  void find_angles(const DeviceInput& input, cudaStream_t stream);
  /// What a layer's kind says about its attention; `learned` is where its attention rule's tensors are.
  void describe(int layer, const DeviceInput& input, DeviceAttention& attention) const;
  QueryScale query_scale(int layer) const;

 private:
  size_t number(int layer) const { return of_layer_[static_cast<size_t>(layer)]; }

  std::vector<std::shared_ptr<const DeviceKind>> kinds_;
  std::vector<size_t> of_layer_;
  std::vector<DeviceMemory> cos_, sin_, terms_;
  int terms_stride_ = 0;
};

}  // namespace rfs
